/** Formats a report card for terminals and JUnit. */
import { describeGrade, type ExamCard } from "../../exam/card.js";
import { type ExamClass, examClasses } from "../../exam/perturbation.js";
import { formatDuration } from "../../time/time.js";
import type { JunitCase } from "../output/junit.js";
import { colors } from "../output/print.js";
import { formatCount, formatTable } from "../output/table.js";

type CardFinding = ExamCard["findings"][number];

/** Counts of a class: tried, without findings, with findings. */
export function countsOf({ tried, not_tried }: ExamCard, of: ExamClass) {
  const own = tried.filter((one) => one.class === of);
  return {
    tried: own.length,
    passed: own.filter(({ result }) => result === "passed").length,
    findings: own.filter(({ result }) => result === "finding").length,
    notTried: not_tried.filter((one) => one.class === of).length,
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
  const count = (reason: string) => not_tried.filter((one) => one.reason === reason).length;
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

export function formatCard(card: ExamCard): string {
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

/**
 * Returns the cases of a JUnit report: one for each disturbance, one that fails for each harm that is done undisturbed, one
 * that fails if too little was tried, and one that names the processes that were left running.
 */
export const toCases = (card: ExamCard, tooLittle: string | null): JunitCase[] => [
  ...(tooLittle === null
    ? []
    : [
        {
          group: "exam",
          name: "enough was tried",
          seconds: 0,
          failure: `${describeGrade(card)}. ${tooLittle}`,
        },
      ]),
  ...card.findings.filter(({ class: of }) => of === "undisturbed").map(toFoundCase),
  ...card.tried.map((one): JunitCase => {
    const finding = card.findings.find(({ id }) => id === one.id);
    if (finding) return toFoundCase(finding);
    const output = "It was shown, but not each time.";
    return one.result === "unconfirmed" ? { ...caseOf(one), output } : caseOf(one);
  }),
  ...card.not_tried.map((one) => ({ ...caseOf(one), skipped: one.reason })),
  ...(card.left_running.length === 0
    ? []
    : [
        {
          group: "exam",
          name: "processes left running",
          seconds: 0,
          output: describeLeftRunning(card.left_running),
        },
      ]),
];

const caseOf = ({ id, title, class: of }: Pick<CardFinding, "id" | "title" | "class">): JunitCase => ({
  group: `exam.${of}`,
  name: `${title} [${id}]`,
  seconds: 0,
});

/** Returns the case of a finding: one that is accepted is skipped, with the reason. */
const toFoundCase = (finding: CardFinding): JunitCase =>
  finding.accepted === null
    ? { ...caseOf(finding), failure: describeFailure(finding) }
    : { ...caseOf(finding), skipped: `accepted: ${finding.accepted}` };

const describeFailure = ({ evidence, right }: CardFinding): string => `${evidence.join(" ")} ${right}`;
