/** The states of a checkout, and how the page describes them. */
import { type Html, html } from "../../documents/html.js";
import type { Checkout, TestCard } from "../../service/business/charges.js";
import { icons } from "../hosted/page.js";

export type CheckoutState = "open" | "declined" | "second_step" | "paid" | "returned" | "closed";

/** For the customer a held payment is paid. A payment that was moved by hand accepts no card. */
export function checkoutState({ charge, payment, last }: Checkout): CheckoutState {
  if (charge.state === "paid") return payment.state === "failed" ? "returned" : "paid";
  if (payment.state !== "pending" && payment.state !== "failed") return "closed";
  if (charge.second_step) return "second_step";
  return last === null ? "open" : "declined";
}

interface StateText {
  icon: Html;
  label: string;
  /** CSS class of its colours. */
  tone: string;
  heading(business: Html): Html;
}

const pay = (business: Html): Html => html`Pay ${business}`;

export const checkoutTexts: Readonly<Record<CheckoutState, StateText>> = {
  open: { icon: icons.card, label: "To be paid", tone: "calm", heading: pay },
  declined: { icon: icons.clock, label: "Not paid yet", tone: "wait", heading: pay },
  second_step: {
    icon: icons.bank,
    label: "Waiting for your bank",
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
    heading: () => html`This payment is closed`,
  },
};

/** Isolates the name, so that one written from right to left does not reorder the text around it. */
export const businessName = ({ business_name }: Checkout): Html => html`<bdi>${business_name}</bdi>`;

export const lastDigits = ({ number }: TestCard): string => number.slice(-4);

/** Formats the card number in groups of four digits. */
export const formatCardNumber = ({ number }: TestCard): string => number.replace(/\d{4}(?=\d)/g, "$& ");
