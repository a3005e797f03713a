/** Schemas of the numbers in requests to several sections: identity numbers, phones, accounts and banks. */

import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import * as Type from "typebox";
import { refuse } from "../contract/errors.js";
import { coded } from "../contract/schemas.js";

const ElevenDigits = (code: "invalid_bvn" | "invalid_nin", example: string) =>
  Type.String({ pattern: "^[0-9]{11}$", examples: [example], ...coded(code, "exactly 11 digits") });
export const Bvn = ElevenDigits("invalid_bvn", "22301948576");
export const Nin = ElevenDigits("invalid_nin", "48120936571");

/** A local Nigerian number or E.164, with spaces and hyphens; assumption phone.notations. */
export const PhoneNumber = Type.String({
  pattern: "^[ -]*(?:0(?:[ -]*[0-9]){10}|\\+[ -]*[1-9](?:[ -]*[0-9]){5,14})[ -]*$",
  description: "Nigerian number of 0 and ten digits, or E.164",
  examples: ["08031234567"],
  ...coded(
    "invalid_phone",
    "a Nigerian number of 0 and ten digits, such as 08031234567, or E.164, such as +2348031234567",
  ),
});

export const AccountNumber = Type.String({
  pattern: "^[0-9]{10}$",
  "x-assumption": "account_numbers",
  examples: ["0143728169"],
  ...coded("invalid_account_number", "exactly 10 digits"),
});

export const BankCode = Type.String({
  pattern: "^([0-9]{3}|[0-9]{5,6})$",
  examples: ["058"],
  ...coded("invalid_bank_code", "the bank's central-bank code, 3, 5 or 6 digits such as 058"),
});

export const chatNumberPattern = "^[1-9][0-9]{7,14}$";

/** End of the sentence "to must be ...". */
export const chatNumberRule = "digits with country code and without a plus sign, such as 2348031234567";

/** Number on the messaging app: digits with country code. */
export const ChatNumber = Type.String({
  pattern: chatNumberPattern,
  "x-assumption": "channels.numbers",
  examples: ["2348031234567"],
  ...coded("invalid_phone", chatNumberRule),
});

// Notations of phone numbers; assumption phone.notations.

/** Range of the test values; no network assigns these numbers. */
const testNumber = /^\+23480000000\d\d$/;

/** Numbers of Nigeria's mobile networks: ten digits after the country code. */
const nigerianMobile =
  /^\+234(?:(?:702[0-24-9]|819[01])\d{6}|(?:7(?:0[13-9]|[12]\d)|8(?:0[1-9]|1[0-8])|9(?:0[1-9]|1[0-6]))\d{7})$/;

/** Nigerian landlines: ten digits that start with 20 and the area. */
const nigerianLandline = /^\+23420[1-9]\d{7}$/;

/** Returns the number with its country code, valid or not; null if it is neither local nor E.164. */
function withCountryCode(text: string): string | null {
  const compact = text.replace(/[ -]/g, "");
  if (!/^(?:0|\+[1-9])\d+$/.test(compact)) return null;
  return compact.startsWith("0") ? `+234${compact.slice(1)}` : compact;
}

/** Returns the E.164 form of a test number; null for any other text. */
export function toTestNumber(text: string): string | null {
  const number = withCountryCode(text);
  return number !== null && testNumber.test(number) ? number : null;
}

/**
 * Returns the E.164 form of a local Nigerian number starting with 0, or of an E.164 number; null for anything else. A
 * Nigerian number must have a prefix in use. A foreign one must have an assigned country code and a length that is
 * possible there: ranges that are in use abroad change too often to be judged.
 */
export function toE164(text: string): string | null {
  const number = withCountryCode(text);
  if (number === null) return null;
  if (number.startsWith("+234")) {
    const isKnown = nigerianMobile.test(number) || nigerianLandline.test(number) || testNumber.test(number);
    return isKnown ? number : null;
  }
  const parsed = parsePhoneNumberFromString(number);
  return parsed?.isPossible() && parsed.number === number ? number : null;
}

/** Returns the E.164 form of the number in request field `param`. Refuses any other text with 400 invalid_phone. */
export function requireE164(param: string, text: string): string {
  const number = toE164(text);
  if (number !== null) return number;
  const message = `${param} must be a Nigerian number of 0 and ten digits, such as 08031234567, or E.164, such as +2348031234567; got ${JSON.stringify(text.slice(0, 40))}.`;
  return refuse("invalid_phone", { param, message });
}
