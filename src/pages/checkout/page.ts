/** Renders the page of checkout_url: its state, the content for the customer, and a panel of the sandbox. */

import { controlRoutes } from "../../contract/control-routes.js";
import { type Html, html } from "../../documents/html.js";
import type { Checkout, TestCard } from "../../service/business/charges.js";
import { toIso } from "../../time/time.js";
import { formatLagosTime, formatNairaAmount, type HostedPage, icons } from "../hosted/page.js";
import { type PageProblem, type ProblemText, renderAlert, renderProblem } from "../hosted/problem.js";
import {
  type CardEntry,
  type CardValues,
  emptyValues,
  type FieldName,
  fieldNames,
  formValues,
  renderSandboxPanel,
  renderTestCards,
} from "./cards.js";

type CheckoutState = "open" | "declined" | "second_step" | "paid" | "returned" | "closed";

/** Returns the state that the customer sees: a held payment counts as paid, and a payment that was moved by hand accepts no card. */
export function checkoutState({ charge, payment, last }: Checkout): CheckoutState {
  if (charge.state === "paid") return payment.state === "failed" ? "returned" : "paid";
  if (payment.state !== "pending" && payment.state !== "failed") return "closed";
  if (charge.second_step) return "second_step";
  return last === null ? "open" : "declined";
}

interface StateText {
  icon: Html;
  label: string;
  /** CSS class for the colours of the state. */
  tone: string;
  heading(business: Html): Html;
}

const pay = (business: Html): Html => html`Pay ${business}`;

const checkoutTexts: Readonly<Record<CheckoutState, StateText>> = {
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

/** Isolates the name, so that a name written from right to left does not reorder the text around it. */
const businessName = ({ business_name }: Checkout): Html => html`<bdi>${business_name}</bdi>`;

const row = (name: string, content: Html): Html => html`<div><dt>${name}</dt><dd>${content}</dd></div>\n`;

const cardRow = (last4: string): Html =>
  row(
    "Card",
    html`<span class="visually-hidden">ending in </span><span class="digits"><span aria-hidden="true">•••• </span>${last4}</span>`,
  );

/** Renders the rows that all states have. The description may be empty. */
function renderPurpose({ charge }: Checkout): Html {
  const { description, customer_name } = charge;
  const purpose = description.trim() === "" ? html`` : row("For", html`${description}`);
  return html`${purpose}${row("Customer", html`${customer_name}`)}`;
}

/** Renders the second step, which a real bank has on its own page. */
const renderSecondStep = (
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

function renderReceipt(checkout: Checkout): Html {
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

function renderClosed(checkout: Checkout, state: CheckoutState): Html {
  const { charge } = checkout;
  const advice =
    state === "returned"
      ? html`The payment did not go through, and the money goes back to your card. Ask ${businessName(checkout)} how to pay.`
      : html`This payment can no longer be paid. Ask ${businessName(checkout)} if you are not sure why.`;
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

const renderTesterNotes = (checkout: Checkout, state: CheckoutState): Html =>
  renderSandboxPanel(
    state === "second_step" ? "In place of a bank" : "For testers",
    renderNotes(checkout, state),
  );

interface View {
  /** Time on the account's clock, in ms. */
  now: number;
  /** Set if the URL asks for another card. `card` is the test card in the URL, or null. */
  another: { card: TestCard | null } | null;
  refused: RefusedPayment | null;
}

export interface RefusedPayment extends PageProblem {
  /** The entry, if its errors are the reason. */
  entry?: CardEntry;
}

export function checkoutPage(checkout: Checkout, view: View): HostedPage {
  const state = checkoutState(checkout);
  const asksForCard = state === "open" || state === "declined";
  const asksForAnother =
    state === "second_step" && (view.another !== null || view.refused?.entry !== undefined);
  const shown = asksForAnother ? "declined" : state;
  const problem = renderNotice(checkout, state, view);
  const { charge, business_name } = checkout;
  return {
    title: `${problem ? "Problem: " : ""}${checkoutTexts[shown].label}: ${formatNairaAmount(charge.amount)} to ${business_name}`,
    scripts: ["checkout.js"],
    body: html`<div class="desk">
<div class="column">
${problem ?? html``}
${renderHero(checkout, shown, asksForCard || asksForAnother ? view : null)}
</div>
${asksForCard || asksForAnother ? renderTestCards(view.another?.card ?? null, view.now) : renderTesterNotes(checkout, state)}
</div>`,
  };
}

const seal = html`<svg class="seal" viewBox="0 0 64 64" width="64" height="64" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><circle cx="32" cy="32" r="29"/><path d="M20.5 33l8 8 15.5-17"/></svg>
`;

/** `view` is null if no card is asked for. */
function renderHero(checkout: Checkout, state: CheckoutState, view: View | null): Html {
  const { icon, label, tone, heading } = checkoutTexts[state];
  return html`<section class="card hero ${tone} ${state}">
${state === "paid" ? seal : html``}<p class="state">${icon} ${label}</p>
<h1>${heading(businessName(checkout))}</h1>
${view ? renderPayment(checkout, view) : renderOutcome(checkout, state)}
</section>`;
}

function renderPayment(checkout: Checkout, { now, another, refused }: View): Html {
  const values = refused?.entry?.values ?? (another?.card ? formValues(another.card, now) : emptyValues);
  return html`<p class="amount">${formatNairaAmount(checkout.charge.amount)}</p>
<dl>
${renderPurpose(checkout)}</dl>
${renderCardForm(checkout, values, refused?.entry?.errors ?? {})}`;
}

function renderOutcome(checkout: Checkout, state: CheckoutState): Html {
  if (state === "second_step") return renderSecondStep(checkout);
  return state === "paid" ? renderReceipt(checkout) : renderClosed(checkout, state);
}

const noSecondStep: ProblemText = {
  title: "Your bank is not waiting for an answer",
  advice: "Nothing was paid. Enter a card again.",
};

/** Renders a refusal, or a notice that the last card was declined, unless the customer has already chosen another card. */
function renderNotice({ last }: Checkout, state: CheckoutState, { refused, another }: View): Html | null {
  if (refused?.entry) return renderEntryErrors(refused.entry);
  if (refused?.code === "invalid_state") return renderTooLate(refused, state);
  if (refused) return renderProblem(refused);
  if (state !== "declined" || !last || another) return null;
  const forTester = html`<p class="aside">For testers: <code>${last.decline_code ?? ""}</code></p>`;
  return renderAlert({ title: "The payment did not go through", advice: last.message }, forTester);
}

/** Renders the refusal of a late payment. Returns null for a closed checkout, whose page says so itself. */
function renderTooLate(refused: PageProblem, state: CheckoutState): Html | null {
  if (state === "paid") return renderAlreadyPaid(refused);
  return state === "closed" || state === "returned" ? null : renderProblem(refused, noSecondStep);
}

const renderAlreadyPaid = ({
  status,
  code,
}: PageProblem): Html => html`<div class="card notice good" role="alert" tabindex="-1" id="problem" autofocus>
<h2>${icons.check} This is already paid</h2>
<p>You were not charged again.</p>
<p class="aside">For testers: <code>${status} ${code}</code></p>
</div>`;

interface Field {
  label: Html;
  autocomplete: string;
  icon?: Html;
}

const fields: Readonly<Record<FieldName, Field>> = {
  number: { label: html`Card number`, autocomplete: "cc-number", icon: icons.card },
  expiry: { label: html`Expiry <span class="hint">MM / YY</span>`, autocomplete: "cc-exp" },
  code: { label: html`Security code`, autocomplete: "cc-csc" },
};

/** Renders a text field, in which digits can be grouped; inputmode still opens the keyboard for digits. */
function renderField(name: FieldName, value: string, error: string | undefined): Html {
  const { label, autocomplete, icon = html`` } = fields[name];
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="box">${icon}<input type="text" id="${name}" name="${name}" value="${value}" required inputmode="numeric" autocomplete="${autocomplete}" spellcheck="false" aria-describedby="${name}-error"${error ? html` aria-invalid="true"` : html``}></div>
<p class="field-error" id="${name}-error" aria-live="polite">${error ?? ""}</p>
</div>`;
}

function renderCardForm({ charge }: Checkout, values: CardValues, errors: CardEntry["errors"]): Html {
  const [number, expiry, code] = fieldNames.map((name) => renderField(name, values[name], errors[name]));
  return html`<form method="post" id="card" class="card-form" aria-labelledby="card-title">
<h2 id="card-title">Your card</h2>
${number as Html}
<div class="two">
${expiry as Html}
${code as Html}
</div>
<button class="button primary" type="submit">Pay ${formatNairaAmount(charge.amount)}</button>
<p class="live" id="form-status" role="status" aria-live="polite"></p>
<p class="aside warning">${icons.flask} Test cards only. Never enter a real card.</p>
</form>`;
}

/** Renders the errors of an entry, each with a link to its field. */
function renderEntryErrors({ errors }: CardEntry): Html {
  const names = fieldNames.filter((name) => errors[name] !== undefined);
  const title = names.length === 1 ? "Please correct this field" : "Please correct these fields";
  const links = html`<ul>
${names.map((name) => html`<li><a href="#${name}">${errors[name] ?? ""}</a></li>\n`)}</ul>`;
  return renderAlert({ title, advice: "Nothing was paid." }, links);
}
