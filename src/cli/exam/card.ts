/** Formats a report card: for terminals, as JUnit cases, and as one page of HTML that needs nothing else. */

import { stringify } from "yaml";
import { type Html, html } from "../../documents/html.js";
import { describeGrade, type ExamCard } from "../../exam/card.js";
import { type ExamClass, examClasses } from "../../exam/perturbation.js";
import { formatDuration } from "../../time/time.js";
import { colors, formatCount, formatTable } from "../output/print.js";
import { formatTableOf, type Report, type ReportPage, type ReportRow } from "../output/report.js";
import { formatPicture, type ToldStory } from "../output/story-page.js";

type CardFinding = ExamCard["findings"][number];

/** Counts of a class: tried, without findings, with findings. */
export function countsOf({ tried, not_tried }: ExamCard, of: ExamClass) {
  const own = tried.filter((result) => result.class === of);
  return {
    tried: own.length,
    passed: own.filter(({ result }) => result === "passed").length,
    findings: own.filter(({ result }) => result === "finding").length,
    notTried: not_tried.filter((entry) => entry.class === of).length,
  };
}

const classNames = Object.keys(examClasses) as ExamClass[];

/** Formats a finding, followed by the others of its cause: what one change repairs is told once. */
const formatCause = (
  { id, title, evidence, right, reproduce, accepted }: CardFinding,
  others: readonly CardFinding[],
): string =>
  [
    `${colors.bold(title)} [${id}]`,
    ...evidence.map((line) => `  ${line}`),
    `  Right: ${right}`,
    `  Again: ${reproduce}`,
    ...(accepted === null ? [] : [`  Accepted: ${accepted}`]),
    ...others.map((other) => `  Also: ${other.title} [${other.id}]${formatAccepted(other)}`),
  ].join("\n");

const formatAccepted = ({ accepted }: CardFinding): string =>
  accepted === null ? "" : ` Accepted: ${accepted}`;

/** Returns the findings by their cause, in their order. */
export const byCause = (findings: readonly CardFinding[]): [first: CardFinding, ...others: CardFinding[]][] =>
  findings
    .filter(({ id, cause }) => id === cause)
    .map((first) => [first, ...findings.filter(({ id, cause }) => cause === first.id && id !== cause)]);

/** Returns the reasons for which something was not tried, with its number. */
export function reasonsOf({ not_tried }: ExamCard): string[] {
  const count = (reason: string) => not_tried.filter((entry) => entry.reason === reason).length;
  const [budget, absent, known] = [count("budget"), count("did not occur"), count("includes a finding")];
  const unread = count("not read");
  return [
    ...(budget > 0
      ? [
          `${formatCount(budget, "disturbance")} not tried for lack of time; --budget gives more, and --card lists them.`,
        ]
      : []),
    ...(unread > 0
      ? [
          `${formatCount(unread, "disturbance")} changed what the client does not read, so that nothing is asked of it.`,
        ]
      : []),
    ...(known > 0
      ? [`${formatCount(known, "disturbance")} passed over: each would only show one of the findings again.`]
      : []),
    ...(absent > 0
      ? [`${formatCount(absent, "disturbance")} did not occur: no request was as it needs to be.`]
      : []),
  ];
}

/** Describes processes that the runs have left running, and how to end them. */
export const describeLeftRunning = (left: ExamCard["left_running"]): string =>
  `The command left ${formatCount(left.length, "process", "processes")} running, which "kill ${left.map(({ pid }) => pid).join(" ")}" ends: ${left.map(({ command }) => command).join("; ")}.`;

function formatCard(card: ExamCard): string {
  const rows = classNames.map((name) => {
    const { tried, passed, findings, notTried } = countsOf(card, name);
    return [`must be ${name}`, ...[tried, passed, findings, notTried].map(String)];
  });
  const colour = { good: colors.green, bad: colors.red, open: colors.yellow }[judgementOf(card)];
  return [
    formatTable(["class", "tried", "passed", "findings", "not tried"], rows),
    ...byCause(card.findings).flatMap(([first, ...others]) => ["", formatCause(first, others)]),
    "",
    `${formatCount(card.runs, "run")} of the command in ${formatDuration(card.duration_ms)}.`,
    ...reasonsOf(card),
    ...(card.left_running.length > 0 ? [describeLeftRunning(card.left_running)] : []),
    colour(`${describeGrade(card)}.`),
  ].join("\n");
}

/** Returns how the card ends: `open` without a finding as long as not everything was tried. */
export function judgementOf({ grade, complete }: ExamCard): "good" | "bad" | "open" {
  if (grade !== null && grade !== "A") return "bad";
  return grade === "A" && complete ? "good" : "open";
}

/** `stories`: what happened when a finding was shown, by its id. `tooLittle` says why the exam shows too little, or is null. */
export function toExamReport(
  card: ExamCard,
  stories: ReadonlyMap<string, readonly ToldStory[]>,
  tooLittle: string | null,
  file: string | undefined,
): Report {
  const isBad = judgementOf(card) === "bad";
  return {
    title: "standin exam",
    outcome: isBad ? "failed" : tooLittle === null ? "passed" : "notTried",
    reasons: isBad || tooLittle === null ? [] : [tooLittle],
    rows: toRows(card, tooLittle),
    document: card,
    text: () => formatCard(card),
    page: () => toPage(card, stories),
    files: { "the report card": { file, content: () => `${JSON.stringify(card, null, 2)}\n` } },
  };
}

/**
 * Returns a row for each disturbance, and failing rows for harm done undisturbed, for too few disturbances, and for processes
 * left running.
 */
const toRows = (card: ExamCard, tooLittle: string | null): ReportRow[] => [
  ...(tooLittle === null
    ? []
    : [
        {
          group: "exam",
          name: "enough was tried",
          verdict: "failed" as const,
          text: `${describeGrade(card)}. ${tooLittle}`,
        },
      ]),
  ...card.findings.filter(({ class: of }) => of === "undisturbed").map(toFoundRow),
  ...card.tried.map((entry): ReportRow => {
    const finding = card.findings.find(({ id }) => id === entry.id);
    if (finding) return toFoundRow(finding);
    return entry.result === "unconfirmed"
      ? {
          ...nameRow(entry),
          verdict: "note",
          text: "It was shown, but not each time, or any error shows it too.",
        }
      : { ...nameRow(entry), verdict: "passed" };
  }),
  ...card.not_tried.map(
    (entry): ReportRow => ({ ...nameRow(entry), verdict: "skipped", text: entry.reason }),
  ),
  ...(card.left_running.length === 0
    ? []
    : [
        {
          group: "exam",
          name: "processes left running",
          verdict: "note" as const,
          text: describeLeftRunning(card.left_running),
        },
      ]),
];

const nameRow = ({ id, title, class: of }: Pick<CardFinding, "id" | "title" | "class">) => ({
  group: `exam.${of}`,
  name: `${title} [${id}]`,
});

/** Returns the row of a finding. An accepted finding is skipped, with the reason. */
const toFoundRow = (finding: CardFinding): ReportRow =>
  finding.accepted === null
    ? { ...nameRow(finding), verdict: "failed", text: describeFailure(finding) }
    : { ...nameRow(finding), verdict: "skipped", text: `accepted: ${finding.accepted}` };

const describeFailure = ({ evidence, right }: CardFinding): string => `${evidence.join(" ")} ${right}`;

function toClassCells(name: ExamClass, card: ExamCard): string[] {
  const { tried, passed, findings, notTried } = countsOf(card, name);
  return [examClasses[name], ...[tried, passed, findings, notTried].map(String)];
}

const items = (lines: readonly string[]): Html =>
  html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;

/** Draws the stories of a finding: the story of one account as it is, the stories of several folded. */
const formatStories = (stories: readonly ToldStory[]): Html[] => {
  const [only] = stories;
  if (only && stories.length === 1) return [formatPicture(only.title, only.activities)];
  return stories.map(
    ({ title, activities }) =>
      html`<details><summary>What happened on ${title}</summary>${formatPicture(title, activities)}</details>\n`,
  );
};

const formatFindingPart = (finding: CardFinding, stories: readonly ToldStory[]): Html => html`<article>
<h3>${finding.title}</h3>
<p><code>${finding.id}</code></p>
${items(finding.evidence)}
${finding.accepted === null ? "" : html`<p>Accepted: ${finding.accepted}</p>\n`}${finding.cause === finding.id ? "" : html`<p>Of the same cause as <code>${finding.cause}</code></p>\n`}<dl><dt>Right</dt><dd>${finding.right}</dd><dt>Show it again</dt><dd><code>${finding.reproduce}</code></dd></dl>
${formatStories(stories)}
${finding.perturbation.length > 0 ? html`<details><summary>Rules</summary><pre>${stringify(finding.perturbation)}</pre></details>\n` : ""}<details><summary>Output of the command</summary><pre>${finding.output.join("\n")}</pre></details>
</article>\n`;

const toResultCells = (title: string, id: string, result: string) => [
  html`${title}<br><code>${id}</code>`,
  result,
];

/** Formats the card as a page. `stories`: what happened when a finding was shown, by its id. */
function toPage(card: ExamCard, stories: ReadonlyMap<string, readonly ToldStory[]>): ReportPage {
  const { findings, tried, not_tried, left_running } = card;
  const command = card.command.join(" ");
  const judgement = judgementOf(card);
  const results = [
    ...tried.map(({ title, id, result }) => toResultCells(title, id, result)),
    ...not_tried.map(({ title, id, reason }) => toResultCells(title, id, `not tried: ${reason}`)),
  ];
  const classes = classNames.map((name) => toClassCells(name, card));
  const left =
    left_running.length > 0 ? html`<h2>Left running</h2>\n<p>${describeLeftRunning(left_running)}</p>` : "";
  return {
    title: `Exam of ${command}`,
    verdict: describeGrade(card),
    tone: judgement === "open" ? "wait" : judgement,
    notes: [`${formatCount(card.runs, "run")} of the command.`, ...reasonsOf(card)],
    content: html`${formatTableOf(["What is asked of the client", "tried", "passed", "findings", "not tried"], classes)}<h2>Findings</h2>
${findings.length === 0 ? html`<p>There are none.</p>` : findings.map((finding) => formatFindingPart(finding, stories.get(finding.id) ?? []))}
${left}
<h2>Everything that was planned</h2>
${formatTableOf(["Disturbance", "Result"], results)}`,
  };
}
