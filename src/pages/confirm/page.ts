/** Renders the page of confirm_url: the state of the check, its address, its three parts with their points, and the forms for proof. */

import type { ErrorCode } from "../../contract/errors.js";
import { type Html, html } from "../../documents/html.js";
import type { AddressCheckRecord } from "../../service/address/check.js";
import { type CheckStatus, scoreOf } from "../../service/address/score.js";
import { toIso } from "../../time/time.js";
import { formatDistance, formatLagosTime, type HostedPage, icons } from "../hosted/page.js";
import { type PageProblem, renderProblem } from "../hosted/problem.js";

export type ShownCheck = AddressCheckRecord;
type ConfirmState = ShownCheck["state"] | "expired";

interface StateText {
  icon: Html;
  label: string;
  heading: string;
  /** CSS class for the colours of the state. */
  tone: string;
  advice(score: number): string;
}

/** Returns the state at `now`: all but verified checks end when the link expires. */
export function confirmState({ state, expires_at }: ShownCheck, now: number): ConfirmState {
  return state !== "verified" && now >= expires_at ? "expired" : state;
}

const confirmTexts: Readonly<Record<ConfirmState, StateText>> = {
  pending: {
    icon: icons.clock,
    label: "Waiting for you",
    heading: "Do you live here?",
    tone: "calm",
    advice: () =>
      "Standin sandbox asks you to confirm this address. Share your location, upload a bill, or do both.",
  },
  verified: {
    icon: icons.check,
    label: "Confirmed",
    heading: "Your address is confirmed",
    tone: "good",
    advice: () => "Thank you. There is nothing more to do, and you can close this page.",
  },
  review: {
    icon: icons.eye,
    label: "In review",
    heading: "Almost there",
    tone: "wait",
    advice: (score) =>
      `You have ${score} of the 70 points needed to confirm an address. Provide more proof to get them.`,
  },
  failed: {
    icon: icons.cross,
    label: "Not confirmed",
    heading: "This is not enough yet",
    tone: "bad",
    advice: (score) => `You have ${score} of the 70 points needed to confirm an address. You can try again.`,
  },
  expired: {
    icon: icons.clock,
    label: "Expired",
    heading: "This link has expired",
    tone: "over",
    advice: () => "Ask the sender for a new one.",
  },
};

interface Row {
  name: string;
  status: CheckStatus;
  points: number;
  maxPoints: number;
  detail: string;
}

const marks = {
  pass: { icon: icons.check, word: "passed", tone: "good" },
  partial: { icon: icons.half, word: "passed in part", tone: "wait" },
  fail: { icon: icons.cross, word: "failed", tone: "bad" },
  not_provided: { icon: icons.none, word: "not provided", tone: "over" },
} as const;

const addressDetails: Readonly<Record<string, string>> = {
  house: "House, street and town are known.",
  street: "The street is known, but the house is not.",
  town: "Only the town is known.",
  unknown: "The address was not found.",
};

function locationDetail({ location, radius_m }: ShownCheck): string {
  const { status, distance_m, accuracy_m = 0 } = location;
  if (distance_m === undefined) return "The address is not known, so the distance cannot be measured.";
  const away = `${formatDistance(distance_m)} away`;
  const allowed = formatDistance(radius_m);
  if (status === "pass") return `${away}, within the ${allowed} allowed.`;
  if (status === "fail") return `${away}; ${allowed} is allowed.`;
  return `${away}, give or take ${formatDistance(accuracy_m)}; ${allowed} is allowed.`;
}

const documentDetails = {
  pass: "It shows this address and your name.",
  partial: "It shows this address, but another name.",
  fail: "It shows another address.",
} as const;

/** Details of a proof that was not provided. */
const missingDetails: Readonly<Record<ConfirmState, string>> = {
  pending: "Not provided yet.",
  review: "Not provided yet.",
  failed: "Not provided yet.",
  verified: "Not needed any more.",
  expired: "Not provided in time.",
};

const rowsOf = (check: ShownCheck, state: ConfirmState): readonly [Row, Row, Row] => [
  {
    name: "The address exists",
    ...check.address_exists,
    maxPoints: 40,
    detail: addressDetails[check.precision] ?? "",
  },
  {
    name: "You are there",
    ...check.location,
    maxPoints: 40,
    detail: check.location.status === "not_provided" ? missingDetails[state] : locationDetail(check),
  },
  {
    name: "A bill shows it",
    ...check.document,
    maxPoints: 20,
    detail:
      check.document.status === "not_provided"
        ? missingDetails[state]
        : documentDetails[check.document.status],
  },
];

function renderScore(check: ShownCheck, state: ConfirmState): Html {
  const rows = rowsOf(check, state);
  const score = scoreOf(check);
  return html`<section class="card" aria-labelledby="score-title">
<h2 id="score-title">The checks</h2>
<div class="sum">
${renderRing(rows, score)}
<p class="soft"><strong>${score} of 100 points.</strong> 70 points confirm an address; 40 put it in review.</p>
</div>
<ul class="choices-list">
${rows.map(renderRow)}</ul>
</section>`;
}

const renderRow = ({ name, status, points, maxPoints, detail }: Row): Html =>
  html`<li class="choice"><span class="mark ${marks[status].tone}">${marks[status].icon}</span>
<div><strong>${name} <span class="visually-hidden">(${marks[status].word})</span></strong><span class="soft">${detail}</span></div>
<span class="points"><b>${points}</b> / ${maxPoints}<span class="visually-hidden"> points</span></span></li>
`;

/** Gap between two arcs in hundredths of the ring, which includes their round ends. */
const gap = 5;

/** Renders an arc for each check: as long as its maximum, and filled up to its points. */
function renderRing(rows: readonly Row[], score: number): Html {
  let start = gap / 2;
  const arcs = rows.map(({ status, points, maxPoints }) => {
    const length = maxPoints - gap;
    const from = start;
    start += maxPoints;
    const filled = points === 0 ? html`` : renderArc(status, (length * points) / maxPoints, from);
    return html`${renderArc("track", length, from)}${filled}`;
  });
  return html`<svg class="ring" viewBox="0 0 120 120" width="120" height="120" role="img" aria-label="${score} of 100 points">
<g transform="rotate(-90 60 60)" fill="none">${arcs}</g>
<text x="60" y="66" class="total">${score}</text><text x="60" y="83" class="of">of 100</text></svg>`;
}

const renderArc = (kind: string, length: number, from: number): Html =>
  html`<circle class="${kind}" cx="60" cy="60" r="49" pathLength="100" stroke-dasharray="${length} ${100 - length}" stroke-dashoffset="${-from}"/>`;

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
