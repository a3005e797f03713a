/** Formats activities, explanations and coverage as text. */
import type { ActivityEntry, ActivityExplanation, CoverageReport } from "./types.js";

/** Formats an activity and its result, such as `POST /v1/verify/bvn 200, match by default, NGN 50.00, 3 ms`. */
export function formatActivity({ kind, title, call, move, refs }: ActivityEntry): string {
  if (move) return `${title} (${refs.record}, ${move.from} → ${move.to})`;
  if (!call) return `${kind} ${title}`;
  const name = call.method === null ? `${kind} ${title}` : title;
  const ending = call.status ?? (call.duration_ms === null ? null : "no reply");
  return [
    [name, ending, call.error_code].filter((part) => part !== null).join(" "),
    call.outcome === null ? null : formatDecision(call),
    call.fault === null ? null : `fault ${call.fault}`,
    call.cost === 0 ? null : `NGN ${(call.cost / 100).toFixed(2)}`,
    call.duration_ms === null ? null : `${Math.round(call.duration_ms)} ms`,
  ]
    .filter((part) => part !== null)
    .join(", ");
}

function formatDecision({ outcome, decided_by, rule }: NonNullable<ActivityEntry["call"]>): string {
  return `${outcome} by ${decided_by === "rule" && rule !== null ? rule : decided_by}`;
}

/** Formats the last activities, the oldest first, for the end of an error message. */
export const formatTail = (newestFirst: readonly ActivityEntry[]): string =>
  newestFirst.length === 0
    ? "Nothing has happened on the account yet."
    : `What happened last:\n${newestFirst
        .toReversed()
        .map((entry) => `  ${entry.at}  ${formatActivity(entry)}`)
        .join("\n")}`;

/** Formats the tree around an activity: its causes above it, its effects below. */
export function formatExplanation({ activity, causes, effects }: ActivityExplanation): string {
  const line = (entry: ActivityEntry, depth: number, mark = " ") =>
    `${mark} ${"  ".repeat(depth)}${entry.at}  ${formatActivity(entry)}  (${entry.id})`;
  const root = causes[0] ?? activity;
  return [
    ...(root.cause === null ? [] : [`  ${root.cause} led to this and is no longer kept.`]),
    ...causes.map((cause, depth) => line(cause, depth)),
    line(activity, causes.length, ">"),
    ...effects.map((effect) => line(effect, causes.length + effect.depth)),
  ].join("\n");
}

type Operation = CoverageReport["operations"][number];

/** Maximum number of operations with a line each. The others share one, so that the report fits one screen. */
const maxOperationLines = 18;

/**
 * Formats a coverage report as at most 40 lines of text: the totals, then the uncovered parts of the operations that
 * were called.
 */
export function formatCoverage(report: CoverageReport): string {
  const called = report.operations.filter(({ calls }) => calls > 0);
  return [
    formatTotals(report),
    ...formatOutcomes(report, called),
    ...formatMoves(report),
    ...formatEvents(report, called),
  ].join("\n");
}

const formatTotals = ({ summary }: CoverageReport): string =>
  Object.entries(summary)
    .map(([what, { exercised, total }]) => `${what} ${exercised} of ${total}`)
    .join(", ");

/** Returns the outcomes that every operation has. They are not listed one by one if all of them are uncovered. */
const commonOutcomes = ([first, ...others]: readonly Operation[]): string[] =>
  (first?.outcomes ?? [])
    .map(({ name }) => name)
    .filter((name) => others.every(({ outcomes }) => outcomes.some((other) => other.name === name)));

function formatOutcomes({ operations }: CoverageReport, called: readonly Operation[]): string[] {
  const common = commonOutcomes(operations);
  const missing = called
    .map(({ operation, outcomes }) => ({ operation, names: uncovered(outcomes, common) }))
    .filter(({ names }) => names.length > 0);
  if (missing.length === 0) return [];
  const more = missing.slice(maxOperationLines).map(({ operation }) => operation);
  return [
    `Uncovered outcomes of the operations called (common: ${common.join(", ")}):`,
    ...missing
      .slice(0, maxOperationLines)
      .map(({ operation, names }) => `  ${operation}: ${names.join(", ")}`),
    ...(more.length > 0 ? [`  and some of ${more.join(", ")}`] : []),
  ];
}

function uncovered(outcomes: Operation["outcomes"], common: readonly string[]): string[] {
  const names = outcomes.filter(({ count }) => count === 0).map(({ name }) => name);
  if (!common.every((name) => names.includes(name))) return names;
  return [...names.filter((name) => !common.includes(name)), "all common"];
}

/** Lists the uncovered moves of machines that made at least one move. */
function formatMoves({ transitions }: CoverageReport): string[] {
  const lines = [...groupBy(transitions, ({ machine }) => machine)].flatMap(([machine, ofMachine]) => {
    if (ofMachine.every(({ count }) => count === 0)) return [];
    const moves = [...groupBy(ofMachine, ({ move }) => move)].flatMap(([move, ways]) =>
      formatUncovered(move, ways),
    );
    return moves.length > 0 ? [`  ${machine}: ${moves.join(", ")}`] : [];
  });
  return lines.length > 0 ? ["Uncovered moves of the records made:", ...lines] : [];
}

/** Formats a move that is uncovered, with its states if it is covered from others. */
function formatUncovered(move: string, ways: CoverageReport["transitions"]): string[] {
  const unseen = ways.filter(({ count }) => count === 0);
  if (unseen.length === 0) return [];
  return [
    unseen.length === ways.length ? move : `${move} from ${unseen.map(({ from }) => from).join(" and ")}`,
  ];
}

function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}

function formatEvents({ events }: CoverageReport, called: readonly Operation[]): string[] {
  const expected = events.filter(({ operations }) =>
    operations.some((id) => called.some(({ operation }) => operation === id)),
  );
  const unseen = expected.filter(({ count }) => count === 0).map(({ event }) => event);
  return unseen.length > 0 ? ["Uncovered events of the operations called:", `  ${unseen.join(", ")}`] : [];
}
