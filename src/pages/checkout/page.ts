/** The page behind checkout_url: on one side what the customer sees, on the other what the sandbox adds. */
import type { TestCard } from "../../service/business/cards.js";
import type { Checkout } from "../../service/business/checkout.js";
import { icons } from "../hosted/icons.js";
import type { HostedPage } from "../hosted/page.js";
import { type Problem, renderAlert, renderProblem, type Saying } from "../hosted/problem.js";
import { type Html, html } from "../html.js";
import { renderCardForm, wrongEntry } from "./card-form.js";
import { type Entry, filled, nothing } from "./entry.js";
import { renderAside, renderBankQuestion, renderEnd, renderPurpose, renderReceipt } from "./outcome.js";
import { nameOf, type State, sayMoney, stateOf, words } from "./state.js";
import { renderTestCards } from "./test-cards.js";

export interface View {
  /** Ms on the account's clock. */
  now: number;
  /** The customer goes on with a card after the last attempt: with this one, or with none yet. */
  another: { card: TestCard | null } | null;
  refused: Refused | null;
}

export interface Refused extends Problem {
  /** What is wrong with the form, where that is why. */
  entry?: Entry;
}

export function checkoutPage(checkout: Checkout, view: View): HostedPage {
  const state = stateOf(checkout);
  const asksForCard = state === "open" || state === "declined";
  const fillsIn = state === "second_step" && (view.another !== null || view.refused?.entry !== undefined);
  const shown = fillsIn ? "declined" : state;
  const problem = problemOf(checkout, state, view);
  const { charge, business_name } = checkout;
  return {
    title: `${problem ? "Problem: " : ""}${words[shown].label}: ${sayMoney(charge.amount)} to ${business_name}`,
    styles: ["checkout.css"],
    scripts: ["checkout.js"],
    body: html`<div class="desk">
<div>
${problem ?? html``}
${renderHero(checkout, shown, asksForCard || fillsIn ? view : null)}
</div>
${asksForCard || fillsIn ? renderTestCards(view.another?.card ?? null, view.now) : renderAside(checkout, state)}
</div>`,
  };
}

/** Drawn as it would be with a pen, where motion is welcome. */
const seal = html`<svg class="seal" viewBox="0 0 64 64" width="64" height="64" fill="none" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><circle cx="32" cy="32" r="29" pathLength="100"/><path d="M20.5 33l8 8 15.5-17" pathLength="100"/></svg>
`;

/** `view` where a card is asked for. */
function renderHero(checkout: Checkout, state: State, view: View | null): Html {
  const { icon, label, tone, heading } = words[state];
  return html`<section class="card hero ${tone} ${state}">
${state === "paid" ? seal : html``}<p class="state">${icon} ${label}</p>
<h1>${heading(nameOf(checkout))}</h1>
${view ? renderPayment(checkout, view) : renderOutcome(checkout, state)}
</section>`;
}

function renderPayment(checkout: Checkout, { now, another, refused }: View): Html {
  const values = refused?.entry?.values ?? (another?.card ? filled(another.card, now) : nothing);
  return html`<p class="amount">${sayMoney(checkout.charge.amount)}</p>
<dl>
${renderPurpose(checkout)}</dl>
${renderCardForm(checkout, values, refused?.entry?.wrong ?? {})}`;
}

function renderOutcome(checkout: Checkout, state: State): Html {
  if (state === "second_step") return renderBankQuestion(checkout);
  return state === "paid" ? renderReceipt(checkout) : renderEnd(checkout, state);
}

const askedNoMore: Saying = {
  title: "Your bank asks no more",
  advice: "Nothing was paid with this answer. Give a card again.",
};

/** What stands above all else: a refusal, or that the last card was declined, unless another one is given already. */
function problemOf({ last }: Checkout, state: State, { refused, another }: View): Html | null {
  if (refused?.entry) {
    const { title, advice, more } = wrongEntry(refused.entry);
    return renderAlert({ title, advice }, more);
  }
  if (refused?.code === "invalid_state") return tooLate(refused, state);
  if (refused) return renderProblem(refused);
  if (state !== "declined" || !last || another) return null;
  const forTester = html`<p class="aside">For the tester: <code>${last.decline_code ?? ""}</code></p>`;
  return renderAlert({ title: "The payment did not go through", advice: last.message }, forTester);
}

/** A checkout that is closed says so in any case. */
function tooLate(refused: Problem, state: State): Html | null {
  if (state === "paid") return paidAlready(refused);
  return state === "closed" || state === "returned" ? null : renderProblem(refused, askedNoMore);
}

const paidAlready = ({
  status,
  code,
}: Problem): Html => html`<div class="card notice" role="alert" tabindex="-1" id="problem" autofocus>
<h2>${icons.check} This was paid already</h2>
<p>Nothing was charged again.</p>
<p class="aside">For the tester: <code>${status} ${code}</code></p>
</div>`;
