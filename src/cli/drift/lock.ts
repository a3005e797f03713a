/** `standin drift --check` and `--diff`: judge a lock file for CI, draw its badge, and compare two lock files. */
import { type DriftLock, defaultLockFile } from "../../contract/drift-lock.js";
import { checks } from "../../drift/checks/index.js";
import {
  compareLocks,
  confirmedShare,
  defaultMaxAgeMs,
  type LockChange,
  lockProblems,
  readLock,
} from "../../drift/lock.js";
import { formatQuestions, openQuestions } from "../../drift/questions.js";
import { realNow } from "../../time/time.js";
import { assumptionsInForce } from "../assumptions/variations.js";
import { exitCodes, UsageError } from "../errors.js";
import { colors, formatCount, formatPercent, formatTable, print, printResult } from "../output/print.js";
import { publish, type Report } from "../output/report.js";
import { readConfig } from "../sandbox-options.js";
import type { DriftFlags } from "./flags.js";

export async function checkLock(flags: DriftFlags): Promise<void> {
  const file = flags.lock ?? defaultLockFile;
  const lock = await readLock(file);
  const inForce = assumptionsInForce(flags, await readConfig(flags.config));
  const age = { now: realNow(), maxAgeMs: flags.maxAge ?? defaultMaxAgeMs };
  const problems = lock
    ? lockProblems(lock, inForce, age)
    : [`there is no ${file}; "standin drift --against URL" writes it`];
  const ids = checks.map(({ id }) => id);
  const { confirmed, total } = confirmedShare(lock, inForce, ids, age);
  const percent = (100 * confirmed) / total;
  if (flags.min !== undefined && percent < flags.min)
    problems.push(
      `the service confirms ${confirmed} of ${total} assumptions, errors, limits, prices, states and webhooks, ` +
        `${formatPercent(percent)}, which is less than ${flags.min}%`,
    );
  const passed = problems.length === 0;
  const verdict = passed
    ? colors.green(`${file}: nothing contradicts it, and nothing in it is too old.`)
    : colors.red(`${file}: ${formatCount(problems.length, "problem")}.`);
  const report: Report = {
    title: "drift",
    outcome: passed ? "passed" : "failed",
    rows: passed
      ? [{ group: "drift", name: file, verdict: "passed" }]
      : problems.map((text, index) => ({
          group: "drift",
          name: `problem ${index + 1}`,
          verdict: "failed",
          text,
        })),
    document: { file, passed, confirmed, total, problems },
    text: () =>
      [
        ...problems,
        ...(passed ? [] : [""]),
        `The service confirms ${confirmed} of ${total}, ${formatPercent(percent)}.`,
        verdict,
      ].join("\n"),
    files: { "the badge": { file: flags.badge, content: () => formatBadge(percent) } },
  };
  await publish(report, { ...flags, markdown: [] });
}

const label = "confirmed by the service";
/** Widths of the two parts, for text of 11 px. */
const labelWidth = 148;
const valueWidth = 44;
const width = labelWidth + valueWidth;

const colorOf = (percent: number): string =>
  percent >= 80 ? "#0a7d4f" : percent >= 50 ? "#8a6100" : "#b3261e";

/** Returns a self-contained SVG with a height of 20 px. */
const formatBadge = (percent: number): string => {
  const value = `${Math.floor(percent)}%`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${value}">
<title>${label}: ${value}</title>
<rect width="${width}" height="20" rx="3" fill="#444b54"/>
<path d="M${labelWidth} 0h${valueWidth - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${valueWidth - 3}z" fill="${colorOf(percent)}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${labelWidth / 2}" y="14">${label}</text>
<text x="${labelWidth + valueWidth / 2}" y="14">${value}</text>
</g>
</svg>
`;
};

async function existing(file: string): Promise<DriftLock> {
  const lock = await readLock(file);
  if (!lock)
    throw new UsageError(`there is no ${file}; "standin drift --against URL --lock FILE" writes one`);
  return lock;
}

/** Compares two locks, or the default lock with the only one that is named. Exits with 1 if they differ. */
export async function diffLocks(flags: DriftFlags, files: readonly string[]): Promise<void> {
  const [one = "", other] = files.length === 1 ? [files[0], defaultLockFile] : files;
  if (other === undefined || files.length > 2)
    throw new UsageError("--diff takes two lock files, such as --diff old.lock.json drift.lock.json");
  const changes = compareLocks(await existing(one), await existing(other));
  printResult(flags, { from: one, to: other, changes }, () => formatChanges(changes, one, other));
  if (changes.length > 0) process.exitCode = exitCodes.failed.code;
}

function formatChanges(changes: readonly LockChange[], one: string, other: string): string {
  if (changes.length === 0) return `${one} and ${other} have observed the same.`;
  const rows = changes.map(({ id, before, after }) => [
    id,
    before ?? "not observed",
    after ?? "not observed",
  ]);
  return [formatTable(["what", one, other], rows), "", `${formatCount(changes.length, "difference")}.`].join(
    "\n",
  );
}

export function printQuestions({ json }: DriftFlags): void {
  const questions = openQuestions();
  print(json ? `${JSON.stringify({ questions })}\n` : formatQuestions(questions));
}
