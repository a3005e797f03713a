/** A coverage report in words, for terminals: which unhappy paths a client's tests do not try. */
import type { CoverageReport } from "./types.js";

type Operation = CoverageReport["operations"][number];

/** More operations than these are named together, so that the whole stays on one screen. */
const mostOperations = 18;

/** Plain text of at most 40 lines: the figures, then what is missing of the operations that were called. */
export function formatCoverage(report: CoverageReport): string {
  const called = report.operations.filter(({ calls }) => calls > 0);
  return [
    sayFigures(report),
    ...sayOutcomes(report, called),
    ...sayMoves(report),
    ...sayEvents(report, called),
  ].join("\n");
}

const sayFigures = ({ summary }: CoverageReport): string =>
  Object.entries(summary)
    .map(([what, { exercised, total }]) => `${what} ${exercised} of ${total}`)
    .join(", ");

/** Outcomes that every operation has: where all of them are missing they are not named again and again. */
const commonOutcomes = ([first, ...others]: readonly Operation[]): string[] =>
  (first?.outcomes ?? [])
    .map(({ name }) => name)
    .filter((name) => others.every(({ outcomes }) => outcomes.some((other) => other.name === name)));

function sayOutcomes({ operations }: CoverageReport, called: readonly Operation[]): string[] {
  const common = commonOutcomes(operations);
  const missing = called
    .map(({ operation, outcomes }) => ({ operation, names: untried(outcomes, common) }))
    .filter(({ names }) => names.length > 0);
  if (missing.length === 0) return [];
  const more = missing.slice(mostOperations).map(({ operation }) => operation);
  return [
    `Outcomes not tried of the operations called (common: ${common.join(", ")}):`,
    ...missing.slice(0, mostOperations).map(({ operation, names }) => `  ${operation}: ${names.join(", ")}`),
    ...(more.length > 0 ? [`  and some of ${more.join(", ")}`] : []),
  ];
}

function untried(outcomes: Operation["outcomes"], common: readonly string[]): string[] {
  const names = outcomes.filter(({ count }) => count === 0).map(({ name }) => name);
  if (!common.every((name) => names.includes(name))) return names;
  return [...names.filter((name) => !common.includes(name)), "all common"];
}

/** Of the machines that made a move. */
function sayMoves({ transitions }: CoverageReport): string[] {
  const lines = [...groupBy(transitions, ({ machine }) => machine)].flatMap(([machine, ofMachine]) => {
    if (ofMachine.every(({ count }) => count === 0)) return [];
    const unseen = [...groupBy(ofMachine, ({ move }) => move)].flatMap(([move, ways]) =>
      sayUnseen(move, ways),
    );
    return unseen.length > 0 ? [`  ${machine}: ${unseen.join(", ")}`] : [];
  });
  return lines.length > 0 ? ["Moves never seen of what was made:", ...lines] : [];
}

/** A move that was seen from some states is said with the others. */
function sayUnseen(move: string, ways: CoverageReport["transitions"]): string[] {
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

function sayEvents({ events }: CoverageReport, called: readonly Operation[]): string[] {
  const expected = events.filter(({ operations }) =>
    operations.some((id) => called.some(({ operation }) => operation === id)),
  );
  const unseen = expected.filter(({ count }) => count === 0).map(({ event }) => event);
  return unseen.length > 0 ? ["Events never sent of the operations called:", `  ${unseen.join(", ")}`] : [];
}
