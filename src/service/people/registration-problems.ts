/** Checks of a person to be registered that a schema cannot express. */
import type { ErrorDetail } from "../../contract/errors.js";
import type { Assumptions } from "../assumptions.js";
import { isBankCode } from "../banks.js";
import { describeFaceProblem } from "./faces.js";
import { type NumberKind, normalNumber } from "./identity-numbers.js";
import { isTestNumber } from "./reserved-values.js";
import type { RegisterPersonInput } from "./schemas.js";

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
