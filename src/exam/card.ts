/** The report card of an exam. */
import * as Type from "typebox";
import { type ExamGrade, examGrades } from "../contract/exam-grades.js";
import { exactly } from "../contract/schemas.js";
import type { ConductFinding } from "./conduct/judge.js";
import type { ExamRun } from "./judge.js";
import { type ExamClass, examClasses, type Perturbation, perturbationName } from "./perturbation.js";

export interface ExamFinding {
  /** The smallest perturbation that shows the finding. */
  perturbation: Perturbation;
  /** Sentences that say what is wrong. */
  evidence: readonly string[];
  /** The run that has shown the finding. */
  run: ExamRun;
}

/** Result of a perturbation that was tried. */
export const results = ["passed", "finding", "unconfirmed"] as const;
export type Result = (typeof results)[number];

/** Why a perturbation was not tried. */
export const notTriedReasons = ["budget", "did not occur", "not read", "includes a finding"] as const;
export type NotTriedReason = (typeof notTriedReasons)[number];

export interface Examined {
  /** First undisturbed run. */
  baseline: ExamRun;
  tried: readonly { perturbation: Perturbation; result: Result }[];
  findings: readonly ExamFinding[];
  notTried: readonly { perturbation: Perturbation; reason: NotTriedReason }[];
}

export const cardVersion = 1;

const Grade = Type.Enum(Object.keys(examGrades) as ExamGrade[]);

const classes = Object.keys(examClasses) as ExamClass[];
const Class = Type.Enum(classes);

/** Class of mistakes that the client makes undisturbed, in addition to the classes of perturbations. */
const undisturbed = "undisturbed";

const entry = {
  id: Type.String({ description: "Class, subject and name, joined by slashes" }),
  class: Class,
  subject: Type.String({ description: "Operation or event" }),
  title: Type.String(),
};

export const ExamCard = exactly({
  version: Type.Literal(cardVersion),
  command: Type.Array(Type.String()),
  contract: Type.String({ description: "Version of Standin, whose contract the client was examined by" }),
  grade: Type.Union([Grade, Type.Null()], {
    description: [
      ...Object.entries(examGrades).map(([grade, meaning]) => `${grade}: ${meaning}`),
      "null: nothing was tried. An exam that is not complete is graded by what was tried",
    ].join("; "),
  }),
  baseline: exactly({
    duration_ms: Type.Integer(),
    operations: Type.Array(Type.String()),
    events: Type.Array(Type.String()),
    conduct: Type.Array(Type.String(), { description: "What the client does wrong undisturbed" }),
  }),
  passed: Type.Boolean({
    description: "Whether the exam ends with exit code 0: it is graded A, and says enough about the client",
  }),
  runs: Type.Integer({ description: "Number of runs of the command, undisturbed ones included" }),
  tried: Type.Array(exactly({ ...entry, result: Type.Enum([...results]) })),
  not_tried: Type.Array(
    exactly({
      ...entry,
      reason: Type.Enum([...notTriedReasons], { description: "Why" }),
    }),
  ),
  findings: Type.Array(
    exactly({
      ...entry,
      class: Type.Enum([...classes, undisturbed]),
      right: Type.String({ description: "What would be right" }),
      cause: Type.String({ description: "Id of the first finding of the same cause, which may be this one" }),
      accepted: Type.Union([Type.String(), Type.Null()], {
        description: "Why the team lives with it, from the file of --accept. Null: it counts",
      }),
      operation: Type.Union([Type.String(), Type.Null()]),
      event: Type.Union([Type.String(), Type.Null()]),
      perturbation: Type.Array(Type.Unknown(), { description: "Rules of every account. Empty: undisturbed" }),
      evidence: Type.Array(Type.String()),
      output: Type.Array(Type.String(), { description: "Last lines of the command's output" }),
      file: Type.Union([Type.String(), Type.Null()], {
        description: "Scenario file with the rules. Null: undisturbed, or on one account or record alone",
      }),
      reproduce: Type.String({ description: "Command that shows it again" }),
    }),
  ),
  left_running: Type.Array(exactly({ pid: Type.Integer(), command: Type.String() }), {
    description:
      "Processes that the runs started and that still ran at the end of the exam. Known on Linux alone",
  }),
  duration_ms: Type.Integer(),
  complete: Type.Boolean({ description: "Whether everything was tried that occurred" }),
});
export type ExamCard = Type.Static<typeof ExamCard>;

export interface CardSource extends Examined {
  command: readonly string[];
  contract: string;
  durationMs: number;
  leftRunning: ExamCard["left_running"];
  /** Number of runs of the command. */
  runs: number;
  /** Reasons of findings that are accepted, by id. */
  accepted: ReadonlyMap<string, string>;
  /** Whether an exam that had no time for everything may pass. */
  allowPartial: boolean;
  /** Returns the scenario file that shows a finding, or null for none. */
  fileOf(perturbation: Perturbation): string | null;
  /** Returns the command that shows a finding again, undisturbed if there is no perturbation. */
  reproduce(perturbation: Perturbation | null): string;
}

const entryOf = ({ id, class: of, subject, title }: Perturbation) => ({ id, class: of, subject, title });

function gradeOf(findings: readonly SingleFinding[], { tried }: Examined): ExamGrade | null {
  const found = findings.filter(({ accepted }) => accepted === null).map(({ class: of }) => of);
  if (found.includes(undisturbed) || found.includes("survived")) return "D";
  if (found.includes("absorbed")) return "C";
  if (found.includes("noticed")) return "B";
  return tried.length > 0 ? "A" : null;
}

/** Returns how much of what was planned was tried, such as "5 of 58 tried". */
export const formatTried = ({ tried, not_tried }: ExamCard): string =>
  `${tried.length} of ${tried.length + not_tried.length} tried`;

/** Describes the grade and, unless everything was tried, how much was. */
export function describeGrade(card: ExamCard): string {
  const { grade, complete } = card;
  if (grade === null) return `Not graded: ${formatTried(card)}`;
  return `Grade ${grade}${complete ? "" : ` of ${formatTried(card)}`}: ${examGrades[grade]}`;
}

export function toCard(source: CardSource): ExamCard {
  const { baseline, tried, notTried, allowPartial } = source;
  const findings = [...undisturbedFindings(source), ...disturbedFindings(source)];
  const grade = gradeOf(findings, source);
  const complete = notTried.every(({ reason }) => reason !== "budget");
  return {
    version: cardVersion,
    command: [...source.command],
    contract: source.contract,
    grade,
    baseline: {
      duration_ms: Math.round(baseline.durationMs),
      operations: [...baseline.observation.operations.keys()].sort(),
      events: [...baseline.observation.events.keys()].sort(),
      conduct: [...new Set(baseline.observation.conduct.map(describeConduct))],
    },
    passed: grade === "A" && (complete || allowPartial),
    runs: source.runs,
    tried: tried.map(({ perturbation, result }) => ({ ...entryOf(perturbation), result })),
    not_tried: notTried.map(({ perturbation, reason }) => ({ ...entryOf(perturbation), reason })),
    findings: withCauses(findings),
    left_running: source.leftRunning,
    duration_ms: Math.round(source.durationMs),
    complete,
  };
}

type CardFinding = ExamCard["findings"][number];

/** A finding before the findings are put together by their causes. */
type SingleFinding = Omit<CardFinding, "cause">;

/** Adds the cause of each finding, so that findings that the same change of the client repairs are reported once. */
const withCauses = (findings: readonly SingleFinding[]): CardFinding[] =>
  findings.map((finding) => {
    const first = findings.find(({ class: of, right }) => of === finding.class && right === finding.right);
    return { ...finding, cause: (first ?? finding).id };
  });

const describeConduct = ({ rule, about, happened }: ConductFinding): string =>
  `${rule.title} (${about}). ${happened}`;

const findingOf = (
  { baseline: { observation }, accepted }: CardSource,
  {
    id,
    class: of,
    subject,
    title,
    right,
  }: Pick<SingleFinding, "id" | "class" | "subject" | "title" | "right">,
) => ({
  ...{ id, class: of, subject, title, right },
  accepted: accepted.get(id) ?? null,
  operation: observation.events.has(subject) ? null : subject,
  event: observation.events.has(subject) ? subject : null,
});

/** Returns the mistakes that the client makes undisturbed, once for each rule and operation or event. */
function undisturbedFindings(source: CardSource): SingleFinding[] {
  const { observation, output } = source.baseline;
  const byId = new Map<string, SingleFinding>();
  for (const { rule, about, happened } of observation.conduct) {
    const id = [undisturbed, about, rule.id].join("/");
    const finding = byId.get(id) ?? {
      ...findingOf(source, { ...rule, id, class: undisturbed, subject: about }),
      perturbation: [],
      evidence: [],
      output: [...output],
      file: null,
      reproduce: source.reproduce(null),
    };
    if (!finding.evidence.includes(happened)) finding.evidence.push(happened);
    byId.set(id, finding);
  }
  return [...byId.values()];
}

const disturbedFindings = (source: CardSource): SingleFinding[] =>
  source.findings.map(({ perturbation, evidence, run }) => ({
    ...findingOf(source, perturbation),
    perturbation: [...perturbation.rules],
    evidence: [...evidence],
    output: [...run.output],
    file: source.fileOf(perturbation),
    reproduce: source.reproduce(perturbation),
  }));

export const findingFile = (perturbation: Perturbation): string => `${perturbationName(perturbation)}.yaml`;
