/** Renders the page of checkout_url: what the customer sees, and beside it what the sandbox adds. */
import { type Html, html } from "../../documents/html.js";
import type { Checkout, TestCard } from "../../service/business/charges.js";
import { formatNairaAmount, type HostedPage, icons } from "../hosted/page.js";
import { type PageProblem, type ProblemText, renderAlert, renderProblem } from "../hosted/problem.js";
import {
  type CardEntry,
  type CardValues,
  emptyValues,
  type FieldName,
  fieldNames,
  formValues,
} from "./card-entry.js";
import {
  renderClosed,
  renderPurpose,
  renderReceipt,
  renderSecondStep,
  renderTesterNotes,
} from "./outcome.js";
import { businessName, type CheckoutState, checkoutState, checkoutTexts } from "./state.js";
import { renderTestCards } from "./test-cards.js";

export interface View {
  /** Time on the account's clock, in ms. */
  now: number;
  /** Set if the URL asks for another card. `card` is the test card that it names, or null. */
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

/** Renders a refusal, or that the last card was declined unless the customer has already chosen another. */
function renderNotice({ last }: Checkout, state: CheckoutState, { refused, another }: View): Html | null {
  if (refused?.entry) return renderEntryErrors(refused.entry);
  if (refused?.code === "invalid_state") return renderTooLate(refused, state);
  if (refused) return renderProblem(refused);
  if (state !== "declined" || !last || another) return null;
  const forTester = html`<p class="aside">For testers: <code>${last.decline_code ?? ""}</code></p>`;
  return renderAlert({ title: "The payment did not go through", advice: last.message }, forTester);
}

/** Returns null for a closed checkout, whose page says so itself. */
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
