/** A person: the schemas, the numbers that identify them, their face, and values that tests reserve. */

import type { Static } from "typebox";
import * as Type from "typebox";
import { coded, DateOnly, exactly, FixedCode, nullable } from "../../contract/schemas.js";
import { fold } from "../fold.js";
import { LicenceNumber } from "../identity/verification.js";
import { AccountNumber, BankCode, Bvn, Nin, toE164, toTestNumber } from "../numbers.js";
import { testValues } from "../test-values.js";

/** Kinds in the order in which a number of unknown kind is looked up. */
export const numberKinds = ["bvn", "nin", "phone", "account", "licence"] as const;
export type NumberKind = (typeof numberKinds)[number];

// Schemas of people in the control API.

const Gender = Type.Enum(["male", "female"]);
const LicenceStatus = Type.Enum(["valid", "expired", "suspended"]);

/** A driver's licence of the road safety corps (FRSC). */
const LicenceView = exactly({
  number: Type.String(),
  status: LicenceStatus,
  class: Type.String({ description: '"B" for private cars, "C" for light commercial vehicles …' }),
  state_of_issue: Type.String(),
  expiry_date: DateOnly,
});

const BankAccountView = exactly({
  bank_code: Type.String({ description: "Central-bank code, as in fixtures/banks.json" }),
  account_number: Type.String(),
  account_name: Type.String({
    description:
      "Account name at the bank, often with the family name first, in capitals, without diacritics",
  }),
});

const details = {
  first_name: Type.String(),
  middle_name: nullable(Type.String()),
  last_name: Type.String(),
  date_of_birth: DateOnly,
  gender: Gender,
  phone_number: Type.String({ description: "E.164" }),
  bvn: Type.String({ description: "11 digits" }),
  nin: Type.String({ description: "11 digits" }),
  licence: nullable(LicenceView),
  bank_accounts: Type.Array(BankAccountView),
  address: Type.String(),
  face: Type.String({
    description:
      "Lower-case word of letters, digits and hyphens; an uploaded file whose name contains it shows this person",
    examples: ["adaeze"],
  }),
};
const code = Type.Optional({
  ...FixedCode,
  description: "Every one-time code with this number of digits that the person is sent",
});
const person = {
  id: Type.Optional(Type.String({ description: "Registered people only" })),
  ...details,
  code,
};

const PersonDetails = exactly(details);
const PersonView = exactly(person);
export const RegisteredPersonView = exactly({ ...person, id: Type.String() });
export const KnownPersonView = exactly({ source: Type.Enum(["registered", "fixture"]), ...person });
export const PersonBehindView = exactly({
  number: Type.String({ description: "Phones in E.164, licences in capitals without spaces and hyphens" }),
  kind: Type.Enum(numberKinds),
  source: Type.Enum(["registered", "fixture", "invented"]),
  person: PersonView,
});

export const PersonBehindQuery = Type.Object({
  kind: Type.Optional(
    Type.Enum(numberKinds, {
      description: "If omitted, the known person with this number decides, otherwise the form of the number",
    }),
  ),
});

const maxNameLength = 60;
const maxTextLength = 300;

const Name = (...examples: string[]) =>
  Type.String({
    maxLength: maxNameLength,
    pattern: "\\p{L}",
    examples,
    ...coded("validation_error", `a name with at least one letter, at most ${maxNameLength} characters long`),
  });

const Text = (rule: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: maxTextLength,
    examples: [example],
    ...coded("validation_error", `${rule}, 1 to ${maxTextLength} characters long`),
  });

const Day = (example: string) =>
  Type.String({
    format: "date",
    examples: [example],
    ...coded("validation_error", `a date such as ${example}`),
  });

const licenceFields = {
  number: LicenceNumber("LSR48213AA06"),
  status: Type.Optional(LicenceStatus),
  class: Type.Optional(Text("a licence class such as B", "B")),
  state_of_issue: Type.Optional(Text("a state such as Lagos", "Lagos")),
  expiry_date: Type.Optional(Day("2031-03-14")),
};

/** A single schema that accepts null; a union would report the errors of each of its members. */
const GivenLicence = Type.Unsafe<Type.Static<Type.TObject<typeof licenceFields>> | null>({
  ...exactly(licenceFields),
  type: ["object", "null"],
  description: "null if the person has none",
});

/** Omitted details are invented. */
export const RegisterPersonBody = exactly({
  first_name: Name("Chioma"),
  middle_name: Type.Optional(nullable(Name("Ada"), { description: "Default null" })),
  last_name: Name("Eze"),
  date_of_birth: Type.Optional(Day("1990-04-12")),
  gender: Type.Optional(Gender),
  phone_number: Type.Optional(
    Type.String({
      examples: ["08031230001"],
      ...coded("invalid_phone", "a local number starting with 0, or E.164"),
    }),
  ),
  bvn: Type.Optional(Bvn),
  nin: Type.Optional(Nin),
  licence: Type.Optional(GivenLicence),
  bank_accounts: Type.Optional(
    Type.Array(
      exactly({
        bank_code: BankCode,
        account_number: AccountNumber,
        account_name: Type.Optional(Text("the account name at the bank", "EZE CHIOMA")),
      }),
      { maxItems: 20 },
    ),
  ),
  address: Type.Optional(
    Text("an address such as 12 Allen Avenue, Ikeja, Lagos", "12 Allen Avenue, Ikeja, Lagos"),
  ),
  face: Type.Optional(
    Type.String({
      maxLength: 40,
      examples: ["chioma"],
      ...coded("validation_error", "a short word of letters, digits and hyphens, at most 40 characters long"),
    }),
  ),
  code,
});

export type RegisterPersonInput = Type.Static<typeof RegisterPersonBody>;

// A person with consistent details in every lookup: from fixtures/people.json, registered, or invented.

export type Person = Static<typeof PersonDetails>;
export type Licence = Static<typeof LicenceView>;
export type BankAccount = Static<typeof BankAccountView>;

/** Returns the full name, such as "Adaeze Ngozi Okafor". */
export const fullName = ({ first_name, middle_name, last_name }: Person): string =>
  [first_name, middle_name, last_name].filter(Boolean).join(" ");

// Test values (fixtures/test-values.json), which always select their outcome. No person may have such a number.

const listed: ReadonlySet<string> = new Set(testValues.map(({ value }) => value));

/** Returns whether a number in normal notation is a test value. The whole range of test phone numbers is reserved. */
export const isTestNumber = (number: string): boolean => listed.has(number) || toTestNumber(number) !== null;

/** Words that select an outcome in a file name. */
const fileWords = testValues.filter(({ where }) => where === "file name").map(({ value }) => value);

/** Returns the test value that every file name with this face would contain, or null. */
const findTestWord = (face: string): string | null =>
  fileWords.find((word) => face.replaceAll("-", "").includes(word.replaceAll("_", ""))) ?? null;

// Numbers that identify a person, in one notation each.

const forms: Readonly<Record<Exclude<NumberKind, "phone">, RegExp>> = {
  bvn: /^\d{11}$/,
  nin: /^\d{11}$/,
  account: /^\d{10}$/,
  licence: /^[a-z0-9]{4,20}$/i,
};

/**
 * Returns the number in its normal notation: phones in E.164, licences in capitals without spaces, hyphens and
 * slashes. Null if the text is not a number of this kind.
 */
export function normalNumber(kind: NumberKind, text: string): string | null {
  if (kind === "phone") return toE164(text);
  const plain = kind === "licence" ? text.replace(/[\s/-]/g, "") : text;
  return forms[kind].test(plain) ? plain.toUpperCase() : null;
}

/** Description of the forms that `guessKind` recognises. */
export const numberForms =
  "11 digits starting with 22 (BVN), 11 digits starting with 0 or E.164 (phone), any other 11 digits (NIN), " +
  "10 digits (account), 4 to 20 letters and digits with at least one letter (licence)";

/** Returns the most likely kind of a number, judged by its form; null if it has none of the forms. */
export function guessKind(text: string): NumberKind | null {
  if (/^22\d{9}$/.test(text)) return "bvn";
  if (/^\d{10}$/.test(text)) return "account";
  if (/^[1-9]\d{10}$/.test(text)) return "nin";
  if (toE164(text) !== null) return "phone";
  return /[a-z]/i.test(text) && normalNumber("licence", text) !== null ? "licence" : null;
}

// Faces: words in the names of uploaded files that select the person who is shown.

const maxFaceWords = 3;

/** Returns the face that a text names: "Ada Òbí" is "ada-obi". Empty if it has no letter or digit. */
export const toFace = (text: string): string => fold(text).replaceAll(" ", "-");

/** Maximum number of characters of a name that count for its face. */
const maxNameCharacters = 40;

/** Returns the first word of a name: "Abdul-Rahman" is "abdul". */
export const firstWord = (name: string): string => fold(name.slice(0, maxNameCharacters)).split(" ")[0] ?? "";

/** Returns what is wrong with a chosen face, as the end of "face …", or null. */
export function describeFaceProblem(text: string): string | null {
  const face = toFace(text);
  if (face === "") return "must contain a letter or digit";
  if (face.split("-").length > maxFaceWords) return `must have at most ${maxFaceWords} words`;
  const word = findTestWord(face);
  return word && `must not contain ${word}, a test value that selects an outcome in any file name`;
}

/** Returns whether a word can begin a face, because it is not a test value. */
export const isFreeWord = (word: string): boolean => word !== "" && findTestWord(word) === null;

/** Returns every run of one to three words of a file name, joined by hyphens, longest first. */
export function facesIn(filename: string): string[] {
  const words = fold(filename.slice(0, maxFileNameCharacters)).split(" ").filter(Boolean);
  const runs = words.flatMap((_, start) =>
    Array.from({ length: Math.min(maxFaceWords, words.length - start) }, (_, more) =>
      words.slice(start, start + more + 1).join("-"),
    ),
  );
  return runs.sort((a, b) => b.length - a.length);
}

/** Longest file name that common file systems allow. */
const maxFileNameCharacters = 255;
