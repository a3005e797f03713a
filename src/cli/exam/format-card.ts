/** Formats a report card for terminals and JUnit. */
import { describeGrade, type ExamCard } from "../../exam/card.js";
import { type ExamClass, examClasses } from "../../exam/perturbation.js";
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

const formatFinding = ({ id, title, evidence, right, reproduce }: CardFinding): string =>
  [
    `${colors.bold(title)} [${id}]`,
    ...evidence.map((line) => `  ${line}`),
    `  Right: ${right}`,
    `  Again: ${reproduce}`,
  ].join("\n");

/** Returns the reasons for which something was not tried, with its number. */
export function reasonsOf({ not_tried }: ExamCard): string[] {
  const count = (reason: string) => not_tried.filter((one) => one.reason === reason).length;
  const [budget, absent, known] = [count("budget"), count("did not occur"), count("includes a finding")];
  return [
    ...(budget > 0
      ? [
          `${formatCount(budget, "disturbance")} not tried for lack of time; --budget gives more, and --card lists them.`,
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
    ...card.findings.flatMap((finding) => ["", formatFinding(finding)]),
    "",
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
  ...card.findings
    .filter(({ class: of }) => of === "undisturbed")
    .map((finding) => ({ ...caseOf(finding), failure: describeFailure(finding) })),
  ...card.tried.map((one): JunitCase => {
    const finding = card.findings.find(({ id }) => id === one.id);
    if (finding) return { ...caseOf(one), failure: describeFailure(finding) };
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

const describeFailure = ({ evidence, right }: CardFinding): string => `${evidence.join(" ")} ${right}`;
