/** Notations of phone numbers; assumption phone.notations. */
import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Our test values: numbers that no network gives out. */
const testNumber = /^\+23480000000\d\d$/;

/** The E.164 form of a local Nigerian number starting with 0, or of an E.164 one; null for anything else. */
export function toE164(text: string): string | null {
  const compact = text.replace(/[\s-]/g, "");
  if (!/^(?:0|\+[1-9])\d+$/.test(compact)) return null;
  const international = compact.startsWith("0") ? `+234${compact.slice(1)}` : compact;
  if (testNumber.test(international)) return international;
  const number = parsePhoneNumberFromString(international);
  return number?.isValid() && number.number === international ? international : null;
}
