/** What a customer enters about a card. Only a test card's number ever goes back to the page. */
import { type TestCard, testCards } from "../../service/business/cards.js";
import { toIso } from "../../world/time/time.js";
import { grouped } from "./state.js";

export const fieldNames = ["number", "expiry", "code"] as const;
export type FieldName = (typeof fieldNames)[number];
export type Values = Readonly<Record<FieldName, string>>;

export interface Entry {
  card: TestCard | null;
  /** A sentence for each field that is wrong. */
  wrong: Readonly<Partial<Record<FieldName, string>>>;
  /** What the form is filled with when it is shown again. */
  values: Values;
}

export const isRight = ({ wrong }: Entry): boolean => Object.keys(wrong).length === 0;

export const nothing: Values = { number: "", expiry: "", code: "" };

const textIn = (fields: Readonly<Record<string, unknown>>, name: FieldName): string => {
  const value = fields[name];
  return typeof value === "string" ? value.trim() : "";
};

/** `now` in ms on the account's clock. */
export function readEntry(fields: Readonly<Record<string, unknown>>, now: number): Entry {
  const [number, expiry, code] = fieldNames.map((name) => textIn(fields, name)) as [string, string, string];
  const card = testCards.find((candidate) => candidate.number === number.replace(/[\s-]/g, "")) ?? null;
  const date = readExpiry(expiry, now);
  const sentences = {
    number: wrongNumber(number, card),
    expiry: wrongExpiry(expiry, date, now),
    code: wrongCode(code),
  };
  return {
    card,
    wrong: Object.fromEntries(Object.entries(sentences).filter(([, sentence]) => sentence !== null)),
    values: card ? { number: grouped(card), expiry: date?.said ?? "", code: "" } : nothing,
  };
}

const wrongNumber = (text: string, card: TestCard | null): string | null => {
  if (text === "") return "Enter the card number.";
  return card
    ? null
    : "This is none of the test cards. Choose one of them, and never enter a real card here.";
};

const wrongCode = (text: string): string | null => {
  if (text === "") return "Enter the security code.";
  return /^\d{3}$/.test(text) ? null : "The security code has 3 digits.";
};

interface Month {
  year: number;
  /** From 1. */
  month: number;
}

interface Expiry extends Month {
  said: string;
}

function monthOf(now: number): Month {
  const [year, month] = toIso(now).split("-", 2).map(Number) as [number, number];
  return { year, month };
}

const expiryForm = /^(\d{1,2})\s*[/.-]\s*(\d{2}|\d{4})$|^(\d{2})\s*(\d{2}|\d{4})$/;

/** Two digits are a year of this century, or of the next where that is nearer. */
function readExpiry(text: string, now: number): Expiry | null {
  const found = expiryForm.exec(text);
  if (!found) return null;
  const month = Number(found[1] ?? found[3]);
  const digits = found[2] ?? (found[4] as string);
  if (month < 1 || month > 12) return null;
  const said = `${String(month).padStart(2, "0")} / ${digits}`;
  if (digits.length === 4) return { year: Number(digits), month, said };
  const current = monthOf(now).year;
  const year = current - (current % 100) + Number(digits);
  return { year: current - year > 50 ? year + 100 : year, month, said };
}

/** A card is good to the end of its month. */
function wrongExpiry(text: string, expiry: Expiry | null, now: number): string | null {
  if (text === "") return "Enter the expiry date.";
  if (!expiry) return `Write the expiry date as month and year, such as ${futureExpiry(now)}.`;
  const { year, month } = monthOf(now);
  const over = expiry.year < year || (expiry.year === year && expiry.month < month);
  return over ? `A card of ${expiry.said} has expired. Any month to come will do.` : null;
}

/** What a test card is filled in with. */
export const filled = (card: TestCard, now: number): Values => ({
  number: grouped(card),
  expiry: futureExpiry(now),
  code: "123",
});

export const futureExpiry = (now: number): string =>
  `12 / ${String((monthOf(now).year + 2) % 100).padStart(2, "0")}`;
