/** What a checkout came to: the bank's question, the receipt, and the ends without one. */
import type { Checkout } from "../../service/business/checkout.js";
import { toIso } from "../../world/time/time.js";
import { sayTime } from "../confirm/state.js";
import { icons } from "../hosted/icons.js";
import { type Html, html } from "../html.js";
import { nameOf, type State, sayMoney } from "./state.js";
import { furniture } from "./test-cards.js";

const row = (name: string, content: Html): Html => html`<div><dt>${name}</dt><dd>${content}</dd></div>\n`;

const cardRow = (last4: string): Html =>
  row(
    "Card",
    html`<span class="unseen">ending in </span><span class="digits"><span aria-hidden="true">•••• </span>${last4}</span>`,
  );

/** What is paid for and by whom: the same in every state. A description may be empty. */
export function renderPurpose({ charge }: Checkout): Html {
  const { description, customer_name } = charge;
  const purpose = description.trim() === "" ? html`` : row("For", html`${description}`);
  return html`${purpose}${row("Customer", html`${customer_name}`)}`;
}

/** In the place of the bank's own page. */
export const renderBankQuestion = (
  checkout: Checkout,
): Html => html`<p>Sandbox Bank asks you to confirm it before the money goes to ${nameOf(checkout)}.</p>
<p class="amount">${sayMoney(checkout.charge.amount)}</p>
<dl>
${row("To", nameOf(checkout))}${cardRow(checkout.charge.second_step?.last4 ?? "")}${renderPurpose(checkout)}</dl>
<form method="post" class="answer">
<button type="submit" name="second_step" value="decline">${icons.cross} Decline</button>
<button class="main" type="submit" name="second_step" value="approve">${icons.check} Approve</button>
</form>
<p class="live" id="form-says" role="status" aria-live="polite"></p>
<p class="instead"><a href="?card=#card">Pay with another card</a></p>`;

export function renderReceipt(checkout: Checkout): Html {
  const { charge, payment } = checkout;
  const paidAt = payment.paid_at ?? 0;
  const time = html`<time datetime="${toIso(paidAt)}">${sayTime(paidAt)}</time>`;
  const refunded = payment.refunded > 0 ? row("Refunded", html`${sayMoney(payment.refunded)}`) : html``;
  return html`<p class="amount">${sayMoney(charge.amount)}</p>
<p>This is your receipt. There is nothing more to do, and you can close this page.</p>
<dl>
${renderPurpose(checkout)}${cardRow(payment.card?.last4 ?? "")}${row("Time", time)}${row("Reference", html`<code>${charge.id}</code>`)}${refunded}</dl>`;
}

export function renderEnd(checkout: Checkout, state: State): Html {
  const { charge } = checkout;
  const advice =
    state === "returned"
      ? html`The payment did not go through, and the money goes back to your card. Ask ${nameOf(checkout)} how to pay.`
      : html`This payment takes no card any more. Ask ${nameOf(checkout)} if you are not sure why.`;
  return html`<p>${advice}</p>
<dl>
${row("Amount", html`${sayMoney(charge.amount)}`)}${renderPurpose(checkout)}${row("Reference", html`<code>${charge.id}</code>`)}</dl>`;
}

const heldFor = {
  limit: html`The business cannot use it yet: it is above what may be received until the business is verified. <code>PATCH /_sandbox/account</code> with <code>{"business_verified": true}</code> releases it and sends <code>payment.received</code>. For the customer it is paid.`,
  issue: html`The business cannot use it while there is an issue with it; the move <code>resolve_issue</code> ends that. For the customer it is paid.`,
} as const;

function afterPayment({ payment }: Checkout): Html {
  const [reason] = payment.holds;
  if (reason) return heldFor[reason];
  const told = html`<code>payment.received</code> went to the registered webhook endpoints.`;
  return payment.card?.refund === "failed" ? html`${told} A refund to this card will fail.` : told;
}

const asideOf = (checkout: Checkout, state: State): Html => {
  const payment = html`<p>The payment <code>${checkout.payment.id}</code> is <code>${checkout.payment.state}</code>.</p>`;
  switch (state) {
    case "second_step":
      return html`<p>A real bank asks on a page or in an app of its own.</p>
<ul>
<li>Approve: the payment succeeds.</li>
<li>Decline: it fails with <code>authentication_failed</code>, and another card may be tried.</li>
</ul>`;
    case "paid":
      return html`${payment}<p>${afterPayment(checkout)}</p>`;
    default:
      return html`${payment}<p>It was moved there by hand.</p>`;
  }
};

export const renderAside = (checkout: Checkout, state: State): Html =>
  furniture(state === "second_step" ? "In the place of a bank" : "For the tester", asideOf(checkout, state));
