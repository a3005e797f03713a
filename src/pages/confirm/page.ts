/** Renders the page of confirm_url: the address, the state of the check, and the forms for proof. */
import type { ErrorCode } from "../../contract/errors.js";
import { type Html, html } from "../../documents/html.js";
import { scoreOf } from "../../service/address/score.js";
import { toIso } from "../../time/time.js";
import { formatDistance, formatLagosTime, type HostedPage, icons } from "../hosted/page.js";
import { type PageProblem, renderProblem } from "../hosted/problem.js";
import { renderScore } from "./score.js";
import { type ConfirmState, confirmState, confirmTexts, type ShownCheck } from "./state.js";

export interface RefusedConfirmation extends PageProblem {
  proof: Proof;
}
export type Proof = "location" | "document";

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
    scripts,
    body: html`${problem ? renderRefusal(problem) : html``}
<div class="desk">
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
<div><dt>Address</dt><dd><strong>${formatted}</strong>${submitted === formatted ? html`` : html`<br><span class="aside">As submitted: ${submitted}</span>`}</dd></div>
${state === "verified" ? html`` : html`<div><dt>${state === "expired" ? "Expired on" : "Valid until"}</dt><dd>${until}</dd></div>`}
</dl>
</section>`;
}

/** Multipart even without a file, so that all forms are read alike. */
const form = (attributes: Html, content: Html): Html =>
  html`<form method="post" enctype="multipart/form-data"${attributes}>${content}</form>`;

const renderPoints = (check: { status: string; points: number }, maxPoints: number): Html =>
  check.status === "not_provided"
    ? html`<span class="tag over">${maxPoints} points</span>`
    : html`<span class="tag over">${check.points} of ${maxPoints} points</span>`;

const hidden = (name: string, value = ""): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

const renderLocationForms = (
  check: ShownCheck,
): Html => html`<section class="card" aria-labelledby="location-title">
<h3 id="location-title">${icons.pin} Share your location ${renderPoints(check.location, 40)}</h3>
<p>Do this at the address. Your location is compared with it; only the distance is stored.</p>
${form(
  html` id="share" hidden`,
  html`${hidden("proof", "location")}${hidden("latitude")}${hidden("longitude")}${hidden("accuracy_m")}
<button class="button primary" type="submit">${icons.pin} Share my location</button>
`,
)}
<p class="live" id="share-status" role="status" aria-live="polite"></p>
${form(
  html` class="simulate"`,
  html`${hidden("proof", "location")}
<p id="simulate">In the sandbox, you can also simulate your location:</p>
<div class="two" role="group" aria-labelledby="simulate">
<button class="button" type="submit" name="at" value="address">I am at the address</button>
<button class="button" type="submit" name="at" value="elsewhere">I am elsewhere</button>
</div>`,
)}
</section>`;

const renderDocumentForm = (
  check: ShownCheck,
  isRefused: boolean,
): Html => html`<section class="card" aria-labelledby="document-title">
<h3 id="document-title">${icons.bill} Upload a bill ${renderPoints(check.document, 20)}</h3>
<p id="file-hint">A utility bill or a bank statement with your name and this address: a photo (PNG, JPEG or WebP) or a PDF of up to 15 MB. It is compared and discarded.</p>
${form(
  html``,
  html`${hidden("proof", "document")}
<label for="file">Your bill or statement</label>
<input type="file" id="file" name="file" required accept="image/png,image/jpeg,image/webp,application/pdf" aria-describedby="file-hint file-status"${isRefused ? html` aria-invalid="true"` : html``}>
<p class="live" id="file-status" role="status" aria-live="polite"></p>
<button class="button" type="submit">${icons.bill} Upload the bill</button>
`,
)}
</section>`;

const renderTesterNotes = ({ radius_m }: ShownCheck): Html => html`<details class="aside">
<summary>For testers: how points are given</summary>
<ul>
<li>Within ${formatDistance(radius_m)} of the address, 40 points; within it only after subtracting the accuracy of the phone, 20; farther away, none.</li>
<li>A file whose name contains <code>otheraddress</code> gets no points, <code>othername</code> gets 10, and any other gets 20.</li>
<li><code>provider_down</code> or <code>timeout</code> in the name makes the check fail with 503 or 504.</li>
</ul>
</details>`;

const renderProofForms = (
  check: ShownCheck,
  isDocumentRefused: boolean,
): Html => html`<section class="column beside" aria-labelledby="proofs-title">
<h2 class="visually-hidden" id="proofs-title">Two ways to confirm</h2>
${renderLocationForms(check)}
${renderDocumentForm(check, isDocumentRefused)}
${renderTesterNotes(check)}
</section>`;
