/** Replacements for the secrets and personal data of a recording: each is replaced consistently, and with the same effect. */
import people from "../../../fixtures/people.json" with { type: "json" };
import cards from "../../../fixtures/test-cards.json" with { type: "json" };
import { isTestNumber } from "../../service/people/person.js";

/** Numbers that are not secret, because they are part of the sandbox. */
const published: ReadonlySet<string> = new Set([
  ...cards.cards.map(({ number }) => number),
  ...people.people.flatMap(({ bvn, nin, licence }) => [bvn, nin, ...(licence ? [licence.number] : [])]),
]);

/** Fields that hold secrets. Each function makes the stand-in of the field's nth secret, from 1. */
const standIns: Readonly<Record<string, (count: number, secret: string) => string>> = {
  bvn: (count, secret) => inForm(secret, 22_100_000_000 + count),
  nin: (count, secret) => inForm(secret, 35_100_000_000 + count),
  licence_number: (count) => `LSR${10_000 + count}AA05`,
  document_number: (count) => `A${10_000_000 + count}`,
  expected: (count) => `answer ${count}`,
  card: () => "4242424242424242",
  card_number: () => "4242424242424242",
  cvv: () => "123",
  token: (count) => `token_${count}`,
  secret: (count) => `secret_${count}`,
  webhook_secret: (count) => `whsec_${String(count).padStart(32, "0")}`,
  code: (count, secret) => String(count).padStart(secret.length, "0"),
};

/** Replaces the digits of a text with the digits of a number. A text that is refused for its form is still refused. */
function inForm(text: string, number: number): string {
  const digits = [...String(number)];
  return text.replace(/\d/g, () => digits.shift() ?? "0");
}

/** Minimum number of digits of a number that may be a BVN or NIN. */
const minIdentityDigits = 7;

const foldAnswer = (text: string): string => text.toLowerCase().replace(/[\s\p{P}]/gu, "");

export class Secrets {
  readonly #replaced = new Map<string, string>();
  /** Answers to identity questions, by their text without case, spaces and punctuation. */
  readonly #answers = new Map<string, string>();

  /** `personal` also replaces the data of people, for recordings of the real service. Default: it is kept. */
  constructor(readonly personal: PersonalData | null = null) {}

  /** Returns a field of a request without its secret. */
  replace(field: string, text: string): string {
    const answer = field === "text" ? this.#answers.get(foldAnswer(text)) : undefined;
    if (answer !== undefined) return answer;
    if (field === "text" && !this.personal) return text;
    if (text === "" || isHarmless(field, text)) return this.#replaced.get(text) ?? text;
    const known = this.#replaced.get(text) ?? this.#standIn(field, text);
    if (known === null) return text;
    this.#replaced.set(text, known);
    if (field === "expected") this.#answers.set(foldAnswer(text), known);
    return known;
  }

  /** Returns a number of a request without personal data. */
  replaceNumber(field: string, value: number): number {
    const text = String(value);
    const safe = Object.hasOwn(standIns, field) ? this.replace(field, text) : text;
    if (safe !== text) return Number(/^\d+$/.test(safe) ? safe : text.replace(/\d/g, "1"));
    return this.personal?.standInNumber(field, value) ?? value;
  }

  #standIn(field: string, text: string): string | null {
    const count = this.#replaced.size + 1;
    const standIn = Object.hasOwn(standIns, field) ? standIns[field] : undefined;
    return standIn ? standIn(count, text) : (this.personal?.standIn(field, text, count) ?? null);
  }

  /** Returns the stand-in of a text that has been replaced. */
  stands(field: string, text: string): string | undefined {
    return (field === "text" ? this.#answers.get(foldAnswer(text)) : undefined) ?? this.#replaced.get(text);
  }
}

/** Returns whether a text is no secret: a pattern or placeholder of a rule, a test value or a word. */
const isHarmless = (field: string, text: string): boolean =>
  published.has(text) ||
  isTestNumber(text) ||
  /^(?:\/.*\/|<[a-z]+>)$/s.test(text) ||
  (["bvn", "nin"].includes(field) && text.replace(/\D/g, "").length < minIdentityDigits) ||
  (field === "code" && !/^\d{4,8}$/.test(text));

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

/** Maximum number of digits of an amount, since amounts are at most NGN 5,000,000. */
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

/** Returns a number with this many digits. It begins with 2, unlike the test values of the sandbox. */
const similarNumber = (length: number, count: number): string =>
  `2${String(count).padStart(length - 1, "0")}`;

/** Keeps the site and drops the path, which may name somebody. */
function siteLike(text: string): string {
  if (!URL.canParse(text)) return "https://example.com/";
  const { origin, hostname } = new URL(text);
  return hostname === "github.com" ? "https://github.com/example/example" : `${origin}/`;
}
