/** Invents people. Load it with `import()`, as the names that it draws. */
import { Random } from "../../time/random.js";
import { isNuban } from "../banks.js";
import { fold } from "../fold.js";
import { firstWord } from "./faces.js";
import { type NumberKind, normalNumber } from "./identity-numbers.js";
import { commonBanks, drawAddress, drawNumbers } from "./invented-facts.js";
import { drawNames } from "./names.js";
import type { BankAccount, Licence, Person } from "./person.js";

type GivenAccount = Pick<BankAccount, "bank_code" | "account_number"> & Partial<BankAccount>;

/** Details of a person that are given; the rest is invented. */
export type GivenDetails = Partial<Omit<Person, "licence" | "bank_accounts">> & {
  licence?: Partial<Licence> | null;
  bank_accounts?: readonly GivenAccount[];
  /** Listed before `bank_accounts`. The person's only account if those are omitted. */
  account?: GivenAccount;
};

/**
 * Invents a coherent person from Nigeria. The same `random` and `given` produce the same person. A given detail changes
 * only itself and what follows from it: account names follow from names, names from gender.
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

type Names = Pick<Person, "first_name" | "middle_name" | "last_name">;

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
