/** The three checks with their points, and their sum as a ring of three arcs. */
import type { CheckStatus } from "../../service/address/checks.js";
import { scoreOf } from "../../service/address/checks.js";
import { icons } from "../hosted/icons.js";
import { type Html, html } from "../html.js";
import { type Check, type State, sayMetres } from "./state.js";

interface Row {
  name: string;
  status: CheckStatus;
  points: number;
  most: number;
  detail: string;
}

const marks = {
  pass: { icon: icons.check, word: "passed" },
  partial: { icon: icons.half, word: "in part" },
  fail: { icon: icons.cross, word: "failed" },
  not_provided: { icon: icons.none, word: "not given yet" },
} as const;

const foundDetails: Readonly<Record<string, string>> = {
  house: "House, street and town are known.",
  street: "The street is known, the house is not.",
  town: "Only the town is known.",
  unknown: "The address was not found.",
};

function locationDetail({ location, radius_m }: Check): string {
  const { status, distance_m, accuracy_m = 0 } = location;
  if (distance_m === undefined) return "Without a known address nobody can be near it.";
  const away = `${sayMetres(distance_m)} away`;
  const allowed = sayMetres(radius_m);
  if (status === "pass") return `${away}, within the ${allowed} allowed.`;
  if (status === "fail") return `${away}; ${allowed} are allowed.`;
  return `${away}, give or take ${sayMetres(accuracy_m)}; ${allowed} are allowed.`;
}

const documentDetails = {
  pass: "It shows this address and your name.",
  partial: "It shows this address and another name.",
  fail: "It shows another address.",
} as const;

/** What is said of a proof that nobody has given. */
const missing: Readonly<Record<State, string>> = {
  pending: "Not given yet.",
  review: "Not given yet.",
  failed: "Not given yet.",
  verified: "Not needed any more.",
  expired: "Not given in time.",
};

const rowsOf = (check: Check, state: State): readonly [Row, Row, Row] => [
  {
    name: "The address exists",
    ...check.address_exists,
    most: 40,
    detail: foundDetails[check.precision] ?? "",
  },
  {
    name: "You are there",
    ...check.location,
    most: 40,
    detail: check.location.status === "not_provided" ? missing[state] : locationDetail(check),
  },
  {
    name: "A bill shows it",
    ...check.document,
    most: 20,
    detail:
      check.document.status === "not_provided" ? missing[state] : documentDetails[check.document.status],
  },
];

export function renderScore(check: Check, state: State): Html {
  const rows = rowsOf(check, state);
  const score = scoreOf(check);
  return html`<section class="card score" aria-labelledby="score-title">
<h2 id="score-title">The checks</h2>
<div class="sum">
${ring(rows, score)}
<p><strong>${score} of 100 points.</strong> 70 confirm an address, 40 put it in review.</p>
</div>
<ul class="checks">
${rows.map(renderRow)}</ul>
</section>`;
}

const renderRow = ({ name, status, points, most, detail }: Row): Html =>
  html`<li class="${status}"><span class="mark">${marks[status].icon}</span>
<div><strong>${name}</strong> <span class="unseen">(${marks[status].word})</span><br><span class="detail">${detail}</span></div>
<span class="points"><b>${points}</b> / ${most}<span class="unseen"> points</span></span></li>
`;

/** Between two arcs, in hundredths of the ring: their round ends reach into it. */
const gap = 5;

/** Arcs as long as the most points of their checks, filled as far as they have come. */
function ring(rows: readonly Row[], score: number): Html {
  let start = gap / 2;
  const arcs = rows.map(({ status, points, most }) => {
    const length = most - gap;
    const from = start;
    start += most;
    const filled = points === 0 ? html`` : arc(status, (length * points) / most, from);
    return html`${arc("track", length, from)}${filled}`;
  });
  return html`<svg class="ring" viewBox="0 0 120 120" width="120" height="120" role="img" aria-label="${score} of 100 points">
<g transform="rotate(-90 60 60)" fill="none">${arcs}</g>
<text x="60" y="66" class="total">${score}</text><text x="60" y="83" class="of">of 100</text></svg>`;
}

const arc = (kind: string, length: number, from: number): Html =>
  html`<circle class="${kind}" cx="60" cy="60" r="49" pathLength="100" stroke-dasharray="${length} ${100 - length}" stroke-dashoffset="${-from}"/>`;
