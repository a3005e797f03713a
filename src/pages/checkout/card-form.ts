/** Renders the card form, as the real page has it. */

import { type Html, html } from "../../documents/html.js";
import type { Checkout } from "../../service/business/charges.js";
import { formatNairaAmount } from "../hosted/format.js";
import { icons } from "../hosted/icons.js";
import { renderAlert } from "../hosted/problem.js";
import { type CardEntry, type CardValues, type FieldName, fieldNames } from "./card-entry.js";

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

export function renderCardForm({ charge }: Checkout, values: CardValues, errors: CardEntry["errors"]): Html {
  const [number, expiry, code] = fieldNames.map((name) => renderField(name, values[name], errors[name]));
  return html`<form method="post" id="card" class="card-form" aria-labelledby="card-title">
<h2 id="card-title">Your card</h2>
${number as Html}
<div class="two">
${expiry as Html}
${code as Html}
</div>
<button class="main" type="submit">Pay ${formatNairaAmount(charge.amount)}</button>
<p class="live" id="form-status" role="status" aria-live="polite"></p>
<p class="warning">${icons.flask} Test cards only. Never enter a real card.</p>
</form>`;
}

/** Renders the errors of an entry, each with a link to its field. */
export function renderEntryErrors({ errors }: CardEntry): Html {
  const names = fieldNames.filter((name) => errors[name] !== undefined);
  const title = names.length === 1 ? "Please correct this field" : "Please correct these fields";
  const links = html`<ul>
${names.map((name) => html`<li><a href="#${name}">${errors[name] ?? ""}</a></li>\n`)}</ul>`;
  return renderAlert({ title, advice: "Nothing was paid." }, links);
}
