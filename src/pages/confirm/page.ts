/** Renders the page of confirm_url: the address, the state of the check, and the forms for proof. */
import type { ErrorCode } from "../../contract/errors.js";
import { type Html, html } from "../../documents/html.js";
import { scoreOf } from "../../service/address/score.js";
import { toIso } from "../../time/time.js";
import { formatLagosTime } from "../hosted/format.js";
import type { HostedPage } from "../hosted/page.js";
import { type PageProblem, renderProblem } from "../hosted/problem.js";
import { renderProofForms } from "./proof-forms.js";
import { renderScore } from "./score.js";
import { type ConfirmState, confirmState, confirmTexts, type ShownCheck } from "./state.js";

export interface RefusedConfirmation extends PageProblem {
  proof: Proof;
}
export type Proof = "location" | "document";

const styles = ["confirm.css"];
const scripts = ["confirm.js"];

/** Renders the page at `now`, in ms on the account's clock. */
export function confirmPage(check: ShownCheck, now: number, refused: RefusedConfirmation | null): HostedPage {
  const state = confirmState(check, now);
  // An expired link has its own text.
  const problem = state === "expired" ? null : refused;
  const isOpen = state !== "verified" && state !== "expired";
  const forms = isOpen ? renderProofForms(check, problem !== null && isFileProblem(problem)) : html``;
  const score = renderScore(check, state);
  return {
    title: `${problem ? "Problem: " : ""}${confirmTexts[state].label}: address check`,
    styles,
    scripts,
    body: html`${problem ? renderRefusal(problem) : html``}
<div class="${isOpen ? "open" : "closed"}">
${renderHero(check, state)}
${state === "pending" ? [forms, score] : [score, forms]}
</div>`,
  };
}

const fileCodes = new Set<ErrorCode>([
  "missing_field",
  "file_too_large",
  "unsupported_media_type",
  "validation_error",
]);

/** Problems that the person can solve with another file. */
const isFileProblem = ({ proof, code }: RefusedConfirmation): boolean =>
  proof === "document" && fileCodes.has(code);

const noFile = {
  title: "No file was chosen",
  advice: "Choose a photo or a PDF of your bill and upload it.",
};

/** Renders why a form was refused. A problem with a file links to its field. */
function renderRefusal(refused: RefusedConfirmation): Html {
  if (!isFileProblem(refused)) return renderProblem(refused);
  const toField = html`<p><a href="#file">Choose a file</a></p>`;
  return renderProblem(refused, refused.code === "missing_field" ? noFile : undefined, toField);
}

function renderHero(check: ShownCheck, state: ConfirmState): Html {
  const { icon, label, heading, tone, advice } = confirmTexts[state];
  const { full_name, formatted, submitted, expires_at } = check;
  const until = html`<time datetime="${toIso(expires_at)}">${formatLagosTime(expires_at)}</time>`;
  return html`<section class="card hero ${tone}">
<p class="state">${icon} ${label}</p>
<h1>${heading}</h1>
<p>${advice(scoreOf(check))}</p>
<dl>
<div><dt>Name</dt><dd>${full_name}</dd></div>
<div><dt>Address</dt><dd><strong>${formatted}</strong>${submitted === formatted ? html`` : html`<span class="as-sent">As submitted: ${submitted}</span>`}</dd></div>
${state === "verified" ? html`` : html`<div><dt>${state === "expired" ? "Expired on" : "Valid until"}</dt><dd>${until}</dd></div>`}
</dl>
</section>`;
}
