/** Numbers that identify a person, in one notation each. */
import { toE164 } from "../phone/phone-numbers.js";

/** Kinds in the order in which a number of unknown kind is looked up. */
export const numberKinds = ["bvn", "nin", "phone", "account", "licence"] as const;
export type NumberKind = (typeof numberKinds)[number];

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
