/** Schemas of people in the control API. */
import * as Type from "typebox";
import { coded, DateOnly, exactly, FixedCode, nullable } from "../../contract/schemas.js";
import { LicenceNumber } from "../identity/schemas.js";
import { AccountNumber, BankCode, Bvn, Nin } from "../numbers.js";
import { numberKinds } from "./identity-numbers.js";

const Gender = Type.Enum(["male", "female"]);
const LicenceStatus = Type.Enum(["valid", "expired", "suspended"]);

/** A driver's licence of the road safety corps (FRSC). */
export const LicenceView = exactly({
  number: Type.String(),
  status: LicenceStatus,
  class: Type.String({ description: '"B" for private cars, "C" for light commercial vehicles …' }),
  state_of_issue: Type.String(),
  expiry_date: DateOnly,
});

export const BankAccountView = exactly({
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

export const PersonDetails = exactly(details);
export const PersonView = exactly(person);
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
