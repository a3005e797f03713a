/** Renders the states without a card form: the second step, the receipt, and closed payments. */
import { controlRoutes } from "../../contract/control-routes.js";
import { type Html, html } from "../../documents/html.js";
import type { Checkout } from "../../service/business/charges.js";
import { toIso } from "../../time/time.js";
import { formatLagosTime, formatNairaAmount, icons } from "../hosted/page.js";
import { businessName, type CheckoutState } from "./state.js";
import { renderSandboxPanel } from "./test-cards.js";

const row = (name: string, content: Html): Html => html`<div><dt>${name}</dt><dd>${content}</dd></div>\n`;

const cardRow = (last4: string): Html =>
  row(
    "Card",
    html`<span class="visually-hidden">ending in </span><span class="digits"><span aria-hidden="true">•••• </span>${last4}</span>`,
  );

/** Renders the rows that all states have. The description may be empty. */
export function renderPurpose({ charge }: Checkout): Html {
  const { description, customer_name } = charge;
  const purpose = description.trim() === "" ? html`` : row("For", html`${description}`);
  return html`${purpose}${row("Customer", html`${customer_name}`)}`;
}

/** Renders the second step, which a real bank has on its own page. */
export const renderSecondStep = (
  checkout: Checkout,
): Html => html`<p>Sandbox Bank asks you to confirm this payment before the money goes to ${businessName(checkout)}.</p>
<p class="amount">${formatNairaAmount(checkout.charge.amount)}</p>
<dl>
${row("To", businessName(checkout))}${cardRow(checkout.charge.second_step?.last4 ?? "")}${renderPurpose(checkout)}</dl>
<form method="post" class="two">
<button class="button" type="submit" name="second_step" value="decline">${icons.cross} Decline</button>
<button class="button primary" type="submit" name="second_step" value="approve">${icons.check} Approve</button>
</form>
<p class="live" id="form-status" role="status" aria-live="polite"></p>
<p class="instead"><a href="?card=#card">Pay with another card</a></p>`;

export function renderReceipt(checkout: Checkout): Html {
  const { charge, payment } = checkout;
  const paidAt = payment.paid_at ?? 0;
  const time = html`<time datetime="${toIso(paidAt)}">${formatLagosTime(paidAt)}</time>`;
  const refunded =
    payment.refunded > 0 ? row("Refunded", html`${formatNairaAmount(payment.refunded)}`) : html``;
  return html`<p class="amount">${formatNairaAmount(charge.amount)}</p>
<p>This is your receipt. There is nothing more to do, and you can close this page.</p>
<dl>
${renderPurpose(checkout)}${cardRow(payment.card?.last4 ?? "")}${row("Time", time)}${row("Reference", html`<code>${charge.id}</code>`)}${refunded}</dl>`;
}

export function renderClosed(checkout: Checkout, state: CheckoutState): Html {
  const { charge } = checkout;
  const advice =
    state === "returned"
      ? html`The payment did not go through, and the money goes back to your card. Ask ${businessName(checkout)} how to pay.`
      : html`This payment cannot be paid any more. Ask ${businessName(checkout)} if you are not sure why.`;
  return html`<p>${advice}</p>
<dl>
${row("Amount", html`${formatNairaAmount(charge.amount)}`)}${renderPurpose(checkout)}${row("Reference", html`<code>${charge.id}</code>`)}</dl>`;
}

const holdTexts = {
  limit: html`The payment is held: it exceeds what the business may receive before it is verified. <code>${controlRoutes.updateAccount}</code> with <code>{"business_verified": true}</code> releases it and sends <code>payment.received</code>. For the customer it is paid.`,
  issue: html`The payment is held because of an issue; the move <code>resolve_issue</code> resolves it. For the customer it is paid.`,
} as const;

function renderPaidNote({ payment }: Checkout): Html {
  const [reason] = payment.holds;
  if (reason) return holdTexts[reason];
  const note = html`<code>payment.received</code> was sent to the registered webhook endpoints.`;
  return payment.card?.refund === "failed" ? html`${note} A refund to this card will fail.` : note;
}

const renderNotes = (checkout: Checkout, state: CheckoutState): Html => {
  const payment = html`<p>The payment <code>${checkout.payment.id}</code> is <code>${checkout.payment.state}</code>.</p>`;
  switch (state) {
    case "second_step":
      return html`<p>A real bank asks on its own page or in its app.</p>
<ul>
<li>Approve: the payment succeeds.</li>
<li>Decline: the payment fails with <code>authentication_failed</code>, and the customer can try another card.</li>
</ul>`;
    case "paid":
      return html`${payment}<p>${renderPaidNote(checkout)}</p>`;
    default:
      return html`${payment}<p>It was moved to this state by hand.</p>`;
  }
};

export const renderTesterNotes = (checkout: Checkout, state: CheckoutState): Html =>
  renderSandboxPanel(
    state === "second_step" ? "In place of a bank" : "For testers",
    renderNotes(checkout, state),
  );
