/** Renders the three checks with their points, and the sum as a ring of three arcs. */
import { type Html, html } from "../../documents/html.js";
import { type CheckStatus, scoreOf } from "../../service/address/score.js";
import { formatDistance, icons } from "../hosted/page.js";
import type { ConfirmState, ShownCheck } from "./state.js";

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
  street: "The street is known, the house is not.",
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
  partial: "It shows this address and another name.",
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

export function renderScore(check: ShownCheck, state: ConfirmState): Html {
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
