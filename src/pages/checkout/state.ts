/** The states of a checkout as its customer is told of them, and how money and cards are written. */
import type { TestCard } from "../../service/business/cards.js";
import type { Checkout } from "../../service/business/checkout.js";
import { type Kobo, toNaira } from "../../world/money/money.js";
import { icons } from "../hosted/icons.js";
import { type Html, html } from "../html.js";

export type State = "open" | "declined" | "second_step" | "paid" | "returned" | "closed";

/** Held is the business's affair: the customer has paid. Payments can be moved by hand, and then no card counts. */
export function stateOf({ charge, payment, last }: Checkout): State {
  if (charge.state === "paid") return payment.state === "failed" ? "returned" : "paid";
  if (payment.state !== "pending" && payment.state !== "failed") return "closed";
  if (charge.second_step) return "second_step";
  return last === null ? "open" : "declined";
}

interface Words {
  icon: Html;
  label: string;
  /** Class of the colours: hosted style. */
  tone: string;
  heading(business: Html): Html;
}

const pay = (business: Html): Html => html`Pay ${business}`;

export const words: Readonly<Record<State, Words>> = {
  open: { icon: icons.card, label: "To be paid", tone: "calm", heading: pay },
  declined: { icon: icons.clock, label: "Not paid yet", tone: "wait", heading: pay },
  second_step: {
    icon: icons.bank,
    label: "Your bank asks",
    tone: "wait",
    heading: () => html`Is this payment yours?`,
  },
  paid: {
    icon: icons.check,
    label: "Paid",
    tone: "good",
    heading: (business) => html`You paid ${business}`,
  },
  returned: {
    icon: icons.back,
    label: "Returned",
    tone: "over",
    heading: (business) => html`${business} did not get your payment`,
  },
  closed: {
    icon: icons.cross,
    label: "Closed",
    tone: "over",
    heading: () => html`Nothing can be paid here any more`,
  },
};

/** A name may be written from right to left, and turn nothing else around. */
export const nameOf = ({ business_name }: Checkout): Html => html`<bdi>${business_name}</bdi>`;

/** `₦12,345.50` */
export const sayMoney = (amount: Kobo): string =>
  `₦${toNaira(amount).toLocaleString("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

export const lastDigits = ({ number }: TestCard): string => number.slice(-4);

/** In groups of four, as on the card. */
export const grouped = ({ number }: TestCard): string => number.replace(/\d{4}(?=\d)/g, "$& ");
