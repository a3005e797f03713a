/** The form that takes a card, as the real page has it. */
import type { Checkout } from "../../service/business/checkout.js";
import { icons } from "../hosted/icons.js";
import { type Html, html } from "../html.js";
import { type Entry, type FieldName, fieldNames, type Values } from "./entry.js";
import { sayMoney } from "./state.js";

interface Field {
  label: Html;
  autocomplete: string;
  icon?: Html;
}

const fields: Readonly<Record<FieldName, Field>> = {
  number: { label: html`Card number`, autocomplete: "cc-number", icon: icons.card },
  expiry: { label: html`Expiry date <span class="hint">MM / YY</span>`, autocomplete: "cc-exp" },
  code: { label: html`Security code`, autocomplete: "cc-csc" },
};

/** Text, so that digits can be grouped; browsers bring the keyboard for digits all the same. */
function renderField(name: FieldName, value: string, wrong: string | undefined): Html {
  const { label, autocomplete, icon = html`` } = fields[name];
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="box">${icon}<input type="text" id="${name}" name="${name}" value="${value}" required inputmode="numeric" autocomplete="${autocomplete}" spellcheck="false" aria-describedby="${name}-says"${wrong ? html` aria-invalid="true"` : html``}></div>
<p class="says" id="${name}-says" aria-live="polite">${wrong ?? ""}</p>
</div>`;
}

export function renderCardForm({ charge }: Checkout, values: Values, wrong: Entry["wrong"]): Html {
  const [number, expiry, code] = fieldNames.map((name) => renderField(name, values[name], wrong[name]));
  return html`<form method="post" id="card" class="card-form" aria-labelledby="card-title">
<h2 id="card-title">Your card</h2>
${number as Html}
<div class="two">
${expiry as Html}
${code as Html}
</div>
<button class="main" type="submit">Pay ${sayMoney(charge.amount)}</button>
<p class="live" id="form-says" role="status" aria-live="polite"></p>
<p class="promise">${icons.flask} Test cards only. Never enter a real card.</p>
</form>`;
}

const titles = { one: "One thing is not right yet", more: "Some things are not right yet" };

/** What is wrong with an entry: each sentence leads to its field. */
export function wrongEntry({ wrong }: Entry): { title: string; advice: string; more: Html } {
  const names = fieldNames.filter((name) => wrong[name] !== undefined);
  return {
    title: names.length === 1 ? titles.one : titles.more,
    advice: "Nothing was paid.",
    more: html`<ul>
${names.map((name) => html`<li><a href="#${name}">${wrong[name] ?? ""}</a></li>\n`)}</ul>`,
  };
}
