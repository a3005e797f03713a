/** Sandbox furniture of the form: the test cards, each of which fills it in. A link each, for browsers without JavaScript. */
import { type TestCard, testCards } from "../../service/business/cards.js";
import { icons } from "../hosted/icons.js";
import { type Html, html } from "../html.js";
import { filled } from "./entry.js";
import { grouped, lastDigits } from "./state.js";

interface Mark {
  icon: Html;
  tone: string;
}

const refused: Mark = { icon: icons.cross, tone: "bad" };

function markOf({ result, refund }: TestCard): Mark {
  if (result === "second_step") return { icon: icons.bank, tone: "wait" };
  if (result !== "paid") return refused;
  return refund === "failed" ? { icon: icons.back, tone: "calm" } : { icon: icons.check, tone: "good" };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What no real page has, and looks like none. */
export const furniture = (
  title: string,
  content: Html,
): Html => html`<aside class="sandbox" aria-labelledby="sandbox-title">
<p class="only">${icons.flask} Sandbox only</p>
<h2 id="sandbox-title">${title}</h2>
${content}
</aside>`;

/** The address of a card says its last four digits alone. */
export const cardNamed = (digits: unknown): TestCard | null =>
  testCards.find((card) => lastDigits(card) === digits) ?? null;

export const renderTestCards = (chosen: TestCard | null, now: number): Html =>
  furniture(
    "Test cards",
    html`<p>The real page does not have this box. Choose a card to fill in the form; any expiry date in the future and any three digits will do.</p>
<ul class="cards">
${testCards.map((card) => renderCard(card, card === chosen, now))}</ul>`,
  );

function renderCard(card: TestCard, isChosen: boolean, now: number): Html {
  const { icon, tone } = markOf(card);
  const { number, expiry, code } = filled(card, now);
  return html`<li><a href="?card=${lastDigits(card)}#card" data-number="${number}" data-expiry="${expiry}" data-code="${code}"${isChosen ? html` aria-current="true"` : html``}>
<span class="mark ${tone}">${icon}</span>
<span><strong>${capitalised(card.note)}</strong><span class="digits">${grouped(card)}</span></span>
<span class="chosen">${icons.check}</span>
</a></li>
`;
}
