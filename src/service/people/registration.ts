/** Registers people: checks what a schema cannot express, and invents details that identify nobody else. */
import { type ErrorDetail, refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import type { Assumptions } from "../assumptions.js";
import { bankOf, isBankCode } from "../banks.js";
import type { GivenDetails } from "./invent.js";
import {
  describeFaceProblem,
  firstWord,
  fullName,
  isFreeWord,
  isTestNumber,
  normalNumber,
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

/**
 * Registers a person. Omitted details are invented so that they identify no other person. Refuses input that its schema
 * cannot exclude, and refuses numbers and faces of other people with 409 duplicate_reference. Call inside a commit.
 */
export function createPerson(
  account: Account,
  input: RegisterPersonInput,
  assumptions: Assumptions,
  inventPerson: Inventor["inventPerson"],
): RegisteredPerson {
  refuseProblems(findProblems(input, account.clock.today(), assumptions));
  const { code, ...details } = input;
  const given = normalise(account, details);
  for (;;) {
    const person = inventPerson(account.random, given);
    const taken = marksOf(person).find((mark) => findByMark(account, mark) !== null);
    if (!taken) return savePerson(account, code === undefined ? person : { ...person, code });
    const [field = ""] = taken.param.split(".");
    if (Object.hasOwn(input, field)) refuseTaken(account, taken);
  }
}

function refuseTaken(account: Account, { param, ...mark }: IdentifyingMark): never {
  const { person, source } = findByMark(account, mark) as KnownPerson;
  const described = source === "fixture" ? "one of the fixture people" : `registered as ${person.id}`;
  const message = `${param} must not belong to anyone yet; ${JSON.stringify(mark.value)} belongs to ${fullName(person)}, ${described}.`;
  return refuse("duplicate_reference", { param, message });
}

function refuseProblems(details: readonly ErrorDetail[]): void {
  const [first] = details;
  if (!first) return;
  const code = details.every((detail) => detail.code === first.code) ? first.code : "validation_error";
  const message = details.map((detail) => detail.message).join(" ");
  refuse(code, { param: first.param, message, details });
}

/** Returns everything that is wrong with the input. `today` is YYYY-MM-DD. */
function findProblems(input: RegisterPersonInput, today: string, assumptions: Assumptions): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const add = (code: ErrorDetail["code"], param: string, rule: string, value: string) =>
    problems.push({ param, code, message: `${param} ${rule}; got ${JSON.stringify(value.slice(0, 60))}.` });

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
  for (const { param, kind, value } of marksOf(input)) {
    const number = kind === "face" ? null : normalNumber(kind, value);
    if (number === null || !isTestNumber(number)) continue;
    add("validation_error", param, "must not be a test value, which always selects its outcome", value);
  }
  const faceProblem = face === undefined ? null : describeFaceProblem(face);
  if (faceProblem !== null) add("validation_error", "face", faceProblem, face as string);
  return problems;
}

/** Returns the input with its numbers and face in their normal notation. */
function normalise(account: Account, input: RegisterPersonInput): GivenDetails {
  const { phone_number, licence, bank_accounts, face, ...rest } = input;
  return {
    ...rest,
    middle_name: input.middle_name ?? null,
    ...(phone_number === undefined ? {} : { phone_number: normal("phone", phone_number) }),
    ...(licence === undefined ? {} : { licence: licence && givenLicence(account, licence) }),
    ...(bank_accounts === undefined ? {} : { bank_accounts: bank_accounts.map(withBankCode) }),
    face: face === undefined ? freeFace(account, input) : toFace(face),
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

/** Replaces another code of the bank with its central-bank code. */
const withBankCode = <A extends { bank_code: string }>(bankAccount: A): A => ({
  ...bankAccount,
  bank_code: bankOf(bankAccount.bank_code).code,
});

/** Returns a face that is not taken: "ada", otherwise "ada-obi", otherwise "ada-obi-" and four digits. */
function freeFace(account: Account, { first_name, last_name }: RegisterPersonInput): string {
  const isTaken = (value: string) => findByMark(account, { kind: "face", value }) !== null;
  const words = [firstWord(first_name), firstWord(last_name)];
  const stems = [words[0] ?? "", words.filter(Boolean).join("-")].filter(isFreeWord);
  let face = stems.find((stem) => !isTaken(stem));
  while (face === undefined || isTaken(face))
    face = `${stems.at(-1) ?? "person"}-${account.random.digits(4)}`;
  return face;
}
