/**
 * Stand-ins for the data of real people, for recordings of the real service. Only values that the interface itself
 * names, such as kinds and ids, are kept: everything else that a client writes may be about somebody.
 */

/** Fields whose values are choices, ids, colours, codes of countries and banks, or ranges of dates. */
const neutralFields: ReadonlySet<string> = new Set(
  (
    "id channel_id virtual_account_id payment_id session_id domain_id verification_id bank_code country " +
    "business_type role type kind platform style tier target_format media_type session_type status events " +
    "primary_color secondary_color template domain"
  ).split(" "),
);

const phoneFields: ReadonlySet<string> = new Set(["phone", "phone_number", "contact_phone", "to", "from"]);
const date = /^\d{4}-\d\d-\d\d$/;
const phoneNumber = /^[+0-9][0-9 ()-]{6,}$/;
/** Digits by which the notations of a number are the same: those after the country code. */
const phoneDigits = 10;

/** Numbers with more digits are no amounts, which are at most NGN 5,000,000. */
const maxAmountDigits = 7;

/** Longest text whose length says nothing. A text scan needs at least 800 characters. */
const maxShortText = 400;

export class PersonalData {
  /** Numbers of the phones, by their last digits. */
  readonly #phones = new Map<string, number>();

  /** Returns a text that stands for the value of a field, or null if the value is kept. `count` makes it unique. */
  standIn(field: string, text: string, count: number): string | null {
    if (neutralFields.has(field) || text === "" || date.test(text)) return null;
    if (phoneFields.has(field)) return phoneNumber.test(text) ? this.#phone(text) : null;
    if (text.includes("@")) return `person-${count}@example.com`;
    if (/^\d+$/.test(text)) return text.length < 4 ? null : similarNumber(text.length, count);
    if (/^https?:\/\//.test(text)) return siteLike(text);
    if (field === "address") return `${count} Sample Street, Lagos`;
    if (/^#[0-9a-f]{3,8}$/i.test(text)) return null;
    if (text.length > maxShortText) return `${"".padEnd(text.length - 1, "Sample text. ")}.`;
    return /^[a-z_]+$/.test(field) ? `${field.replaceAll("_", "-")}-${count}` : `text-${count}`;
  }

  /** Returns a number that stands for an identity or account number. Amounts and counts are kept. */
  standInNumber(field: string, value: number): number {
    if (field === "latitude" || field === "longitude") return Math.round(value);
    const digits = String(Math.trunc(Math.abs(value)));
    return digits.length <= maxAmountDigits ? value : Number(similarNumber(digits.length, 1));
  }

  #phone(text: string): string {
    const key = text.replace(/\D/g, "").slice(-phoneDigits);
    const number = this.#phones.get(key) ?? this.#phones.size + 1;
    this.#phones.set(key, number);
    const own = `803555${String(number).padStart(4, "0")}`;
    if (text.startsWith("+")) return `+234${own}`;
    return text.startsWith("0") ? `0${own}` : `234${own}`;
  }
}

/** Returns a number of so many digits. It begins with 2, as no test value of the sandbox does. */
const similarNumber = (length: number, count: number): string =>
  `2${String(count).padStart(length - 1, "0")}`;

/** Keeps the site and drops the path, which may name somebody. */
function siteLike(text: string): string {
  if (!URL.canParse(text)) return "https://example.com/";
  const { origin, hostname } = new URL(text);
  return hostname === "github.com" ? "https://github.com/example/example" : `${origin}/`;
}
