/** The page behind confirm_url: who asks, which address, where the check stands, and the two ways to go on. */
import type { ErrorCode } from "../../contract/errors.js";
import { scoreOf } from "../../service/address/checks.js";
import { toIso } from "../../world/time/time.js";
import type { HostedPage } from "../hosted/page.js";
import { type Problem, renderProblem } from "../hosted/problem.js";
import { type Html, html } from "../html.js";
import { renderScore } from "./score.js";
import { type Check, type State, sayTime, stateOf, words } from "./state.js";
import { renderWays } from "./ways.js";

export interface Refused extends Problem {
  proof: Proof;
}
export type Proof = "location" | "document";

const styles = ["confirm.css"];
const scripts = ["confirm.js"];

/** `now` in ms on the account's clock. */
export function confirmPage(check: Check, now: number, refused: Refused | null): HostedPage {
  const state = stateOf(check, now);
  // That the link has expired is what the page says in any case.
  const problem = state === "expired" ? null : refused;
  const open = state !== "verified" && state !== "expired";
  const ways = open ? renderWays(check, problem !== null && aboutFile(problem)) : html``;
  const score = renderScore(check, state);
  return {
    title: `${problem ? "Problem: " : ""}${words[state].label}: address check`,
    styles,
    scripts,
    body: html`${problem ? problemOf(problem) : html``}
<div class="${open ? "open" : "closed"}">
${renderHero(check, state)}
${state === "pending" ? [ways, score] : [score, ways]}
</div>`,
  };
}

const fileCodes = new Set<ErrorCode>([
  "missing_field",
  "file_too_large",
  "unsupported_media_type",
  "validation_error",
]);

/** The person can do something about it: choose another file. */
const aboutFile = ({ proof, code }: Refused): boolean => proof === "document" && fileCodes.has(code);

const noFile = {
  title: "No file was chosen",
  advice: "Choose a photo or a PDF of your bill, and upload it.",
};

/** What is wrong with a file leads to its field. */
function problemOf(refused: Refused): Html {
  if (!aboutFile(refused)) return renderProblem(refused);
  const toField = html`<p><a href="#file">Choose a file</a></p>`;
  return renderProblem(refused, refused.code === "missing_field" ? noFile : undefined, toField);
}

function renderHero(check: Check, state: State): Html {
  const { icon, label, heading, tone, advice } = words[state];
  const { full_name, formatted, submitted, expires_at } = check;
  const until = html`<time datetime="${toIso(expires_at)}">${sayTime(expires_at)}</time>`;
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
