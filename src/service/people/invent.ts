/** Invents people from Nigeria. Load it with `import()`: faker's lists take longer to load than the rest of the program. */
import { faker } from "@faker-js/faker/locale/en_NG";
import { Random } from "../../time/random.js";
import { isNuban, nubanCheckDigit } from "../banks.js";
import { fold } from "../fold.js";
import {
  type BankAccount,
  firstWord,
  isTestNumber,
  type Licence,
  type NumberKind,
  normalNumber,
  type Person,
} from "./person.js";

type Names = Pick<Person, "first_name" | "middle_name" | "last_name">;

/** Number of people per person without a middle name. */
const peoplePerMissingMiddleName = 3;

/** Draws the names of a person. The same seed and gender give the same names. */
function drawNames(seed: number, gender: "female" | "male"): Names {
  faker.seed(seed);
  const last_name = drawLastName();
  const hasNoMiddleName = faker.number.int(peoplePerMissingMiddleName - 1) === 0;
  const first_name = drawFirstName(gender);
  const middle_name = drawFirstName(gender);
  return { first_name, middle_name: hasNoMiddleName ? null : middle_name, last_name };
}

/** Placeholder in faker's list of names. */
const placeholderName = "Sname";

function drawFirstName(gender: "female" | "male"): string {
  const name = faker.person.firstName(gender);
  return name === placeholderName ? drawFirstName(gender) : name;
}

/** Draws a last name with every part capitalised; faker has "Ajose-adeogun". */
const drawLastName = (): string =>
  faker.person.lastName().replace(/-\p{Ll}/gu, (letter) => letter.toUpperCase());

/** Codes of the banks that most people use. */
const commonBanks = ["058", "011", "057", "044", "033", "214", "232", "035", "221", "070"] as const;

/** Prefixes of the four mobile networks, without the leading zero. */
const mobilePrefixes =
  "703 706 803 806 810 813 816 903 906 705 805 807 815 905 708 802 808 812 902 809 818 909";

/** Towns of the gazetteer, each with its state and the prefix of the licences that its office issues. */
const towns = [
  ["Ikeja", "Lagos", "KJA"],
  ["Surulere", "Lagos", "LSR"],
  ["Ibadan", "Oyo", "BDJ"],
  ["Abeokuta", "Ogun", "AKM"],
  ["Akure", "Ondo", "AKR"],
  ["Benin City", "Edo", "BEN"],
  ["Warri", "Delta", "WWR"],
  ["Port Harcourt", "Rivers", "PHC"],
  ["Uyo", "Akwa Ibom", "UYY"],
  ["Calabar", "Cross River", "CAL"],
  ["Aba", "Abia", "ABA"],
  ["Owerri", "Imo", "WER"],
  ["Awka", "Anambra", "AWK"],
  ["Enugu", "Enugu", "ENU"],
  ["Makurdi", "Benue", "MKD"],
  ["Ilorin", "Kwara", "LRN"],
  ["Jos", "Plateau", "JJN"],
  ["Kaduna", "Kaduna", "KAD"],
  ["Kano", "Kano", "KMC"],
] as const;

/** Street names that exist in every town. */
const streets = [
  "Adeola Close",
  "Ahmadu Bello Way",
  "Awolowo Road",
  "Church Street",
  "Herbert Macaulay Street",
  "Hospital Road",
  "Market Road",
  "Mission Road",
  "Murtala Mohammed Way",
  "Nnamdi Azikiwe Street",
  "Palm Avenue",
  "Station Road",
  "Tafawa Balewa Street",
  "Unity Crescent",
] as const;

const licenceClasses = ["A", "B", "B", "B", "C", "D", "E"] as const;

/** Range of years of birth: adults at any time that a clock is likely to show. */
const birthYears = { from: 1955, to: 1999 } as const;
/** Range of the years in which licences expire. */
const expiryYears = { from: 2031, to: 2036 } as const;

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T;

/** Draws numbers until one is not a test value. */
function drawUnreserved(draw: () => string): string {
  for (;;) {
    const number = draw();
    if (!isTestNumber(number)) return number;
  }
}

function drawDate(random: Random, { from, to }: { from: number; to: number }): string {
  const year = random.integer(from, to);
  const [month, day] = [random.integer(1, 12), random.integer(1, 28)];
  return [year, month, day].map((part) => String(part).padStart(2, "0")).join("-");
}

function drawNumbers(random: Random) {
  const bank_code = pick(random, commonBanks);
  return {
    date_of_birth: drawDate(random, birthYears),
    phone_number: drawUnreserved(() => `+234${pick(random, mobilePrefixes.split(" "))}${random.digits(7)}`),
    bvn: drawUnreserved(() => `22${random.digits(9)}`),
    // A number that starts with 0 or 2 would be taken for a phone number or a BVN.
    nin: drawUnreserved(() => `${pick(random, [..."13456789"])}${random.digits(10)}`),
    account: { bank_code, account_number: drawUnreserved(() => drawNuban(random, bank_code)) },
  };
}

function drawNuban(random: Random, bank_code: string): string {
  const serial = random.digits(9);
  return serial + nubanCheckDigit(bank_code, serial);
}

/** Draws an address, and a licence issued by the office of that town. */
function drawAddress(random: Random): { address: string; licence: Licence } {
  const [town, state, office] = pick(random, towns);
  const house = random.integer(1, 120);
  const street = pick(random, streets);
  return {
    address: [...new Set([`${house} ${street}`, town, state])].join(", "),
    licence: {
      number: drawUnreserved(
        () => `${office}${random.digits(5)}A${pick(random, [..."ABCD"])}${random.digits(2)}`,
      ),
      status: "valid",
      class: pick(random, licenceClasses),
      state_of_issue: state,
      expiry_date: drawDate(random, expiryYears),
    },
  };
}

type GivenAccount = Pick<BankAccount, "bank_code" | "account_number"> & Partial<BankAccount>;

/** Details of a person that are given; the rest is invented. */
export type GivenDetails = Partial<Omit<Person, "licence" | "bank_accounts">> & {
  licence?: Partial<Licence> | null;
  bank_accounts?: readonly GivenAccount[];
  /** Account that is listed before `bank_accounts`, or the only account if they are omitted. */
  account?: GivenAccount;
};

/**
 * Invents a coherent person from Nigeria. The same `random` and `given` produce the same person. A given detail changes
 * only itself and the details derived from it: names depend on the gender, and account names on names.
 */
export function inventPerson(random: Random, given: GivenDetails = {}): Person {
  const seed = random.bits();
  const drawnGender = random.integer(0, 1) === 0 ? "female" : "male";
  const gender = given.gender ?? drawnGender;
  const numbers = drawNumbers(random);
  const { address, licence } = drawAddress(random);
  const names = namesWith(given, drawNames(seed, gender));
  const { account } = given;
  const others: readonly GivenAccount[] = given.bank_accounts ?? (account ? [] : [numbers.account]);
  return {
    ...names,
    date_of_birth: given.date_of_birth ?? numbers.date_of_birth,
    gender,
    phone_number: given.phone_number ?? numbers.phone_number,
    bvn: given.bvn ?? numbers.bvn,
    nin: given.nin ?? numbers.nin,
    licence: given.licence === null ? null : withExpiry(licence, given.licence),
    bank_accounts: (account ? [account, ...others] : others).map((known) => ({
      bank_code: known.bank_code,
      account_number: known.account_number,
      account_name: known.account_name ?? nameAtBank(names),
    })),
    address: given.address ?? address,
    face: given.face ?? (firstWord(names.first_name) || "person"),
  };
}

function namesWith(given: GivenDetails, drawn: Names): Names {
  const first_name = given.first_name ?? drawn.first_name;
  const middle_name = drawn.middle_name === first_name ? null : drawn.middle_name;
  return {
    first_name,
    middle_name: given.middle_name === undefined ? middle_name : given.middle_name,
    last_name: given.last_name ?? drawn.last_name,
  };
}

/** Returns the name as banks record it: family name first, in capitals, without diacritics. */
function nameAtBank({ first_name, middle_name, last_name }: Names): string {
  const name = [last_name, first_name, middle_name].filter(Boolean).join(" ");
  return fold(name).toUpperCase() || name;
}

const yearsSinceExpiry = 12;

/**
 * Returns the licence with the given details. If it is given as expired without a date, its expiry date is moved back
 * by 12 years.
 */
function withExpiry(drawn: Licence, given: Partial<Licence> = {}): Licence {
  const [year, ...day] = drawn.expiry_date.split("-");
  const past = [Number(year) - yearsSinceExpiry, ...day].join("-");
  const expiry_date = given.status === "expired" ? past : drawn.expiry_date;
  return { ...drawn, expiry_date, ...given };
}

/**
 * Returns the invented owner of a number that belongs to no known person. The same seed always gives the same person.
 * The bank of an account number, unless given, is the first common bank whose check digit fits.
 */
export function personBehind(
  seed: string,
  kind: NumberKind,
  number: string,
  given: GivenDetails = {},
): Person {
  const key = `${seed}\0${kind}\0${number}\0${JSON.stringify(given)}`;
  const known = recent.get(key);
  if (known) return known;
  const person = invent(seed, kind, normalNumber(kind, number) ?? number, given);
  if (recent.size >= maxRecent) recent.clear();
  recent.set(key, person);
  return person;
}

/** Cache: clients ask for the same few numbers repeatedly, and inventing is the slowest part of a lookup. */
const recent = new Map<string, Person>();
const maxRecent = 1_000;

const invent = (seed: string, kind: NumberKind, number: string, given: GivenDetails): Person =>
  inventPerson(Random.seeded(seed, "person", kind, number), {
    ...given,
    ...numberDetail(kind, number, given),
  });

function numberDetail(kind: NumberKind, number: string, given: GivenDetails): GivenDetails {
  switch (kind) {
    case "bvn":
      return { bvn: number };
    case "nin":
      return { nin: number };
    case "phone":
      return { phone_number: number };
    case "licence":
      return { licence: { ...given.licence, number } };
    case "account":
      return { account: { bank_code: bankOf(number), ...given.account, account_number: number } };
  }
}

const bankOf = (account: string): string =>
  commonBanks.find((code) => isNuban(code, account)) ?? (commonBanks[0] as string);
