/** Notations of phone numbers; assumption phone.notations. */

import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { refuse } from "../../contract/errors.js";

/** Our test values: numbers that no network gives out. */
const testNumber = /^\+23480000000\d\d$/;

/** Numbers of Nigeria's mobile networks: known at sight. The library judges the rest of the world. */
const nigerianMobile =
  /^\+234(?:(?:702[0-24-9]|819[01])\d{6}|(?:7(?:0[13-9]|[12]\d)|8(?:0[1-9]|1[0-8])|9(?:0[1-9]|1[0-6]))\d{7})$/;

/** The form that starts with a plus sign, whatever it is worth; null where it is neither local nor E.164. */
function international(text: string): string | null {
  const compact = text.replace(/[\s-]/g, "");
  if (!/^(?:0|\+[1-9])\d+$/.test(compact)) return null;
  return compact.startsWith("0") ? `+234${compact.slice(1)}` : compact;
}

/** The number in E.164 form when it is one of our test values. */
export function toTestNumber(text: string): string | null {
  const number = international(text);
  return number !== null && testNumber.test(number) ? number : null;
}

/** Refuses a number in the request field `param` that is neither local nor E.164. */
export function checkPhone(param: string, text: string): void {
  if (toE164(text) !== null) return;
  const message = `${param} must be a local number starting with 0, or E.164; ${JSON.stringify(text.slice(0, 40))} is neither.`;
  refuse("invalid_phone", { param, message });
}

/** The E.164 form of a local Nigerian number starting with 0, or of an E.164 one; null for anything else. */
export function toE164(text: string): string | null {
  const number = international(text);
  if (number === null || nigerianMobile.test(number) || testNumber.test(number)) return number;
  const parsed = parsePhoneNumberFromString(number);
  return parsed?.isValid() && parsed.number === number ? number : null;
}
