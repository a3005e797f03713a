/** Checks of a person to be registered that a schema cannot express. */
import type { ErrorDetail } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import type { Assumptions } from "../assumptions.js";
import { bankOf, isBankCode } from "../banks.js";
import type { GivenDetails } from "./invent.js";
import {
  describeFaceProblem,
  freeFace,
  fullName,
  isTestNumber,
  type NumberKind,
  normalNumber,
  type Person,
  type RegisterPersonInput,
  toFace,
} from "./person.js";
import {
  findByMark,
  type IdentifyingMark,
  type Inventor,
  type KnownPerson,
  marksOf,
  type RegisteredPerson,
  savePerson,
} from "./registry.js";

export interface RegistrationProblem extends ErrorDetail {
  code: "validation_error" | "invalid_phone" | "invalid_bank_code";
}

const formatValue = (value: string): string => JSON.stringify(value.slice(0, 60));

/** Returns everything that is wrong with the input. `today` is YYYY-MM-DD. */
export function findRegistrationProblems(
  input: RegisterPersonInput,
  today: string,
  assumptions: Assumptions,
): RegistrationProblem[] {
  const problems: RegistrationProblem[] = [];
  const add = (code: RegistrationProblem["code"], param: string, rule: string, value: string) =>
    problems.push({ param, code, message: `${param} ${rule}; got ${formatValue(value)}.` });

  const { date_of_birth, phone_number, face } = input;
  if (date_of_birth !== undefined && date_of_birth > today)
    add("validation_error", "date_of_birth", `must not be after today, ${today}`, date_of_birth);
  if (phone_number !== undefined && normalNumber("phone", phone_number) === null) {
    const rule = "must be a local number starting with 0, such as 08031234567, or E.164";
    add("invalid_phone", "phone_number", rule, phone_number);
  }
  input.bank_accounts?.forEach(({ bank_code }, at) => {
    if (isBankCode(bank_code, assumptions)) return;
    const rule = "must be a code in fixtures/banks.json, such as 058, or have five or six digits";
    add("invalid_bank_code", `bank_accounts.${at}.bank_code`, rule, bank_code);
  });
  for (const { param, kind, text } of numbersIn(input)) {
    const number = normalNumber(kind, text);
    if (number === null || !isTestNumber(number)) continue;
    add("validation_error", param, "must not be a test value, which always selects its outcome", text);
  }
  const faceProblem = face === undefined ? null : describeFaceProblem(face);
  if (faceProblem !== null) add("validation_error", "face", faceProblem, face as string);
  return problems;
}

interface GivenNumber {
  param: string;
  kind: NumberKind;
  text: string;
}

const numbersIn = (input: RegisterPersonInput): GivenNumber[] => [
  ...(["bvn", "nin"] as const).flatMap((kind) => given(kind, kind, input[kind])),
  ...given("phone_number", "phone", input.phone_number),
  ...given("licence.number", "licence", input.licence?.number),
  ...(input.bank_accounts ?? []).flatMap(({ account_number }, at) =>
    given(`bank_accounts.${at}.account_number`, "account", account_number),
  ),
];

const given = (param: string, kind: NumberKind, text: string | undefined): GivenNumber[] =>
  text === undefined ? [] : [{ param, kind, text }];

// Registers a person. Omitted details are invented so that they identify no other person.

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
