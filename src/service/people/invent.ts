/** Invents people. Load it with `await import(...)`: faker's names take longer to load than all the rest. */
import { faker } from "@faker-js/faker/locale/en_NG";
import { Random } from "../../world/time/random.js";
import { isNuban } from "../banks.js";
import { fold } from "../fold.js";
import { firstWord } from "./faces.js";
import { type NumberKind, normalNumber } from "./identity-numbers.js";
import { drawAddress, drawNumbers, usualBanks } from "./invented-facts.js";
import type { BankAccount, Licence, Person } from "./person.js";

type GivenAccount = Pick<BankAccount, "bank_code" | "account_number"> & Partial<BankAccount>;

/** What is known of a person before the rest is invented. */
export type Given = Partial<Omit<Person, "licence" | "bank_accounts">> & {
  licence?: Partial<Licence> | null;
  bank_accounts?: readonly GivenAccount[];
  /** Comes before `bank_accounts`, or is the only one. */
  account?: GivenAccount;
};

/**
 * A coherent person of Nigeria. The same random and the same `given` make the same person, and what is given changes
 * nothing but itself and what follows from it: account names from names, names from gender.
 */
export function inventPerson(random: Random, given: Given = {}): Person {
  faker.seed(random.bits());
  const drawnGender = random.integer(0, 1) === 0 ? "female" : "male";
  const gender = given.gender ?? drawnGender;
  const numbers = drawNumbers(random);
  const { address, licence } = drawAddress(random);
  const names = drawNames(gender, given);
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

type Names = Pick<Person, "first_name" | "middle_name" | "last_name">;

/** One person in so many has no middle name. */
const withoutMiddleName = 3;

/** Draws all three, whatever is given, so that the others stay the same. */
function drawNames(gender: Person["gender"], given: Given): Names {
  const last_name = drawLastName();
  const isPlain = faker.number.int(withoutMiddleName - 1) === 0;
  const drawnFirst = drawFirstName(gender);
  const drawnMiddle = drawFirstName(gender);
  const first_name = given.first_name ?? drawnFirst;
  const middle_name = isPlain || drawnMiddle === first_name ? null : drawnMiddle;
  return {
    first_name,
    middle_name: given.middle_name === undefined ? middle_name : given.middle_name,
    last_name: given.last_name ?? last_name,
  };
}

/** A slip in faker's list of names. */
const noName = "Sname";

function drawFirstName(gender: Person["gender"]): string {
  const name = faker.person.firstName(gender);
  return name === noName ? drawFirstName(gender) : name;
}

/** faker writes "Ajose-adeogun". */
const drawLastName = (): string =>
  faker.person.lastName().replace(/-\p{Ll}/gu, (letter) => letter.toUpperCase());

/** As banks write it: family name first, in capitals, without diacritics. */
function nameAtBank({ first_name, middle_name, last_name }: Names): string {
  const name = [last_name, first_name, middle_name].filter(Boolean).join(" ");
  return fold(name).toUpperCase() || name;
}

const yearsBack = 12;

/** One who says "expired" and not since when has had a licence that ran out long ago. */
function withExpiry(drawn: Licence, given: Partial<Licence> = {}): Licence {
  const [year, ...day] = drawn.expiry_date.split("-");
  const past = [Number(year) - yearsBack, ...day].join("-");
  const expiry_date = given.status === "expired" ? past : drawn.expiry_date;
  return { ...drawn, expiry_date, ...given };
}

/**
 * Who is behind a number that nobody is known by: with one seed always the same, and with the number in its place.
 * A bank account's bank is the first one that may have given the number out, unless it is given.
 */
export function personBehind(seed: string, kind: NumberKind, number: string, given: Given = {}): Person {
  const key = `${seed}\0${kind}\0${number}\0${JSON.stringify(given)}`;
  const known = lately.get(key);
  if (known) return known;
  const person = invent(seed, kind, normalNumber(kind, number) ?? number, given);
  if (lately.size >= mostLately) lately.clear();
  lately.set(key, person);
  return person;
}

/** Clients ask for the same few numbers again and again, and inventing takes longer than all else in a look-up. */
const lately = new Map<string, Person>();
const mostLately = 1_000;

const invent = (seed: string, kind: NumberKind, number: string, given: Given): Person =>
  inventPerson(Random.seeded(seed, "person", kind, number), { ...given, ...inPlace(kind, number, given) });

function inPlace(kind: NumberKind, number: string, given: Given): Given {
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
  usualBanks.find((code) => isNuban(code, account)) ?? (usualBanks[0] as string);
