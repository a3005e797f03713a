/** Renders the test cards beside the form. Each is a link that fills in the form, also without JavaScript. */
import { type Html, html } from "../../documents/html.js";
import { type TestCard, testCards } from "../../service/business/charges.js";
import { icons } from "../hosted/page.js";
import { formValues } from "./card-entry.js";
import { formatCardNumber, lastDigits } from "./state.js";

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

/** Renders a panel that the real page does not have, and looks different from it. */
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
