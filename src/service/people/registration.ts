/** Registers a person. Omitted details are invented so that they identify no other person. */
import type { Account } from "../../world/account/account.js";
import { bankOf } from "../banks.js";
import { freeFace, toFace } from "./faces.js";
import { normalNumber } from "./identity-numbers.js";
import type { GivenDetails } from "./invent.js";
import { fullName, type Person } from "./person.js";
import {
  findByMark,
  type IdentifyingMark,
  type Inventor,
  type KnownPerson,
  marksOf,
  type RegisteredPerson,
  savePerson,
} from "./registry.js";
import type { RegisterPersonInput } from "./schemas.js";

/** A given number or face that already identifies another person. */
export interface TakenMark {
  mark: IdentifyingMark;
  owner: KnownPerson;
}

/**
 * Registers a person, or returns the given number or face that is taken. Expects input without registration problems.
 * Call inside a commit.
 */
export function createPerson(
  account: Account,
  input: RegisterPersonInput,
  inventPerson: Inventor["inventPerson"],
): { registered: RegisteredPerson } | { taken: TakenMark } {
  const { code, ...details } = input;
  const given = normalise(account, details);
  for (;;) {
    const person = inventPerson(account.random, given);
    const taken = firstTaken(account, person);
    if (taken === null) {
      return { registered: savePerson(account, code === undefined ? person : { ...person, code }) };
    }
    const [field = ""] = taken.mark.param.split(".");
    if (Object.hasOwn(input, field)) return { taken };
  }
}

function firstTaken(account: Account, person: Person): TakenMark | null {
  for (const mark of marksOf(person)) {
    const owner = findByMark(account, mark);
    if (owner) return { mark, owner };
  }
  return null;
}

/** Returns "Adaeze Okafor, one of the fixture people". */
export const describeOwner = ({ person, source }: KnownPerson): string =>
  `${fullName(person)}, ${source === "fixture" ? "one of the fixture people" : `registered as ${person.id}`}`;

/** Returns the input with its numbers and face in their normal notation. */
function normalise(account: Account, input: RegisterPersonInput): GivenDetails {
  const { phone_number, licence, bank_accounts, face, ...rest } = input;
  return {
    ...rest,
    middle_name: input.middle_name ?? null,
    ...(phone_number === undefined ? {} : { phone_number: normal("phone", phone_number) }),
    ...(licence === undefined ? {} : { licence: licence && givenLicence(account, licence) }),
    ...(bank_accounts === undefined ? {} : { bank_accounts: bank_accounts.map(withBankCode) }),
    face: face === undefined ? chooseFace(account, input) : toFace(face),
  };
}

const normal = (kind: "phone" | "licence", text: string): string => normalNumber(kind, text) ?? text;

type GivenLicence = NonNullable<RegisterPersonInput["licence"]>;

function givenLicence({ clock }: Account, licence: GivenLicence): GivenLicence {
  const hasExpired = licence.expiry_date !== undefined && licence.expiry_date < clock.today();
  return {
    ...(hasExpired ? { status: "expired" } : {}),
    ...licence,
    number: normal("licence", licence.number),
  };
}

/** Replaces another code of the bank by its central-bank code. */
const withBankCode = <A extends { bank_code: string }>(bankAccount: A): A => ({
  ...bankAccount,
  bank_code: bankOf(bankAccount.bank_code).code,
});

const chooseFace = (account: Account, { first_name, last_name }: RegisterPersonInput): string =>
  freeFace(
    first_name,
    last_name,
    (value) => findByMark(account, { kind: "face", value }) !== null,
    () => account.random.digits(4),
  );
