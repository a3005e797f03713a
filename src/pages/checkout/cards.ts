/** Cards of the checkout: reads and checks the entry of the customer, and offers test cards that fill in the form. */

import { type Html, html } from "../../documents/html.js";
import { type TestCard, testCards } from "../../service/business/charges.js";
import { toIso } from "../../time/time.js";
import { icons } from "../hosted/page.js";

export const fieldNames = ["number", "expiry", "code"] as const;
export type FieldName = (typeof fieldNames)[number];
export type CardValues = Readonly<Record<FieldName, string>>;

export interface CardEntry {
  card: TestCard | null;
  /** A sentence for each invalid field. */
  errors: Readonly<Partial<Record<FieldName, string>>>;
  /** Values with which the form is shown again. */
  values: CardValues;
}

export const isValid = ({ errors }: CardEntry): boolean => Object.keys(errors).length === 0;

export const emptyValues: CardValues = { number: "", expiry: "", code: "" };

const textOf = (fields: Readonly<Record<string, unknown>>, name: FieldName): string => {
  const value = fields[name];
  return typeof value === "string" ? value.trim() : "";
};

/** Reads the form at `now`, in ms on the account's clock. */
export function readEntry(fields: Readonly<Record<string, unknown>>, now: number): CardEntry {
  const [number, expiry, code] = fieldNames.map((name) => textOf(fields, name)) as [string, string, string];
  const card = testCards.find((candidate) => candidate.number === number.replace(/[\s-]/g, "")) ?? null;
  const date = readExpiry(expiry, now);
  const sentences = {
    number: numberError(number, card),
    expiry: expiryError(expiry, date, now),
    code: codeError(code),
  };
  return {
    card,
    errors: Object.fromEntries(Object.entries(sentences).filter(([, sentence]) => sentence !== null)),
    values: card ? { number: formatCardNumber(card), expiry: date?.text ?? "", code: "" } : emptyValues,
  };
}

const numberError = (text: string, card: TestCard | null): string | null => {
  if (text === "") return "Enter the card number.";
  return card
    ? null
    : "This is not a test card. Choose one of the test cards, and never enter a real card here.";
};

const codeError = (text: string): string | null => {
  if (text === "") return "Enter the security code.";
  return /^\d{3}$/.test(text) ? null : "The security code has 3 digits.";
};

interface Month {
  year: number;
  /** From 1. */
  month: number;
}

interface Expiry extends Month {
  /** `03 / 29` */
  text: string;
}

function monthOf(now: number): Month {
  const [year, month] = toIso(now).split("-", 2).map(Number) as [number, number];
  return { year, month };
}

const expiryPattern = /^(\d{1,2})\s*[/.-]\s*(\d{2}|\d{4})$|^(\d{2})\s*(\d{2}|\d{4})$/;

/** Reads an expiry date. A year of two digits is in this century, or in the next if that is nearer. */
function readExpiry(text: string, now: number): Expiry | null {
  const found = expiryPattern.exec(text);
  if (!found) return null;
  const month = Number(found[1] ?? found[3]);
  const digits = found[2] ?? (found[4] as string);
  if (month < 1 || month > 12) return null;
  const formatted = `${String(month).padStart(2, "0")} / ${digits}`;
  if (digits.length === 4) return { year: Number(digits), month, text: formatted };
  const current = monthOf(now).year;
  const year = current - (current % 100) + Number(digits);
  return { year: current - year > 50 ? year + 100 : year, month, text: formatted };
}

/** Returns what is wrong with an expiry date, or null. A card is valid until the end of its month. */
function expiryError(text: string, expiry: Expiry | null, now: number): string | null {
  if (text === "") return "Enter the expiry date.";
  if (!expiry) return `Enter the expiry date as month and year, such as ${futureExpiry(now)}.`;
  const { year, month } = monthOf(now);
  const isPast = expiry.year < year || (expiry.year === year && expiry.month < month);
  return isPast ? `${expiry.text} is in the past. Enter any future month.` : null;
}

/** Returns the values with which a test card fills in the form. */
export const formValues = (card: TestCard, now: number): CardValues => ({
  number: formatCardNumber(card),
  expiry: futureExpiry(now),
  code: "123",
});

const futureExpiry = (now: number): string =>
  `12 / ${String((monthOf(now).year + 2) % 100).padStart(2, "0")}`;

interface Mark {
  icon: Html;
  tone: string;
}

const declined: Mark = { icon: icons.cross, tone: "bad" };

function markOf({ result, refund }: TestCard): Mark {
  if (result === "second_step") return { icon: icons.bank, tone: "wait" };
  if (result !== "paid") return declined;
  return refund === "failed" ? { icon: icons.back, tone: "calm" } : { icon: icons.check, tone: "good" };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Renders a panel that the real page does not have, in a different style. */
export const renderSandboxPanel = (
  title: string,
  content: Html,
): Html => html`<aside class="card sandbox beside" aria-labelledby="sandbox-title">
<span class="tag over">${icons.flask} Sandbox only</span>
<h2 id="sandbox-title">${title}</h2>
${content}
</aside>`;

/** Finds a test card by its last four digits, which are all that a URL may contain. */
export const findTestCard = (digits: unknown): TestCard | null =>
  testCards.find((card) => lastDigits(card) === digits) ?? null;

export const renderTestCards = (chosen: TestCard | null, now: number): Html =>
  renderSandboxPanel(
    "Test cards",
    html`<p>The real page does not have this box. Choose a card to fill in the form; any expiry date in the future and any security code are accepted.</p>
<ul class="choices-list">
${testCards.map((card) => renderCard(card, card === chosen, now))}</ul>`,
  );

function renderCard(card: TestCard, isChosen: boolean, now: number): Html {
  const { icon, tone } = markOf(card);
  const { number, expiry, code } = formValues(card, now);
  return html`<li><a class="choice" href="?card=${lastDigits(card)}#card" data-number="${number}" data-expiry="${expiry}" data-code="${code}"${isChosen ? html` aria-current="true"` : html``}>
<span class="mark ${tone}">${icon}</span>
<span><strong>${capitalised(card.note)}</strong><span class="soft digits">${formatCardNumber(card)}</span></span>
<span class="chosen">${icons.check}</span>
</a></li>
`;
}

const lastDigits = ({ number }: TestCard): string => number.slice(-4);

/** Formats the card number in groups of four digits. */
const formatCardNumber = ({ number }: TestCard): string => number.replace(/\d{4}(?=\d)/g, "$& ");
