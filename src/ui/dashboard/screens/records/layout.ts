/** Lays a state machine out from left to right: a state stands right of those that lead to it. */
import type { CallReply } from "../../../../client/control-call.js";

export type DiagramMachine = CallReply<"listMachines">["items"][number];

export interface DiagramNode {
  readonly state: string;
  readonly x: number;
  readonly y: number;
}
export interface DiagramEdge {
  readonly from: DiagramNode;
  readonly to: DiagramNode;
  /** Names of the moves along this edge. */
  readonly moves: readonly string[];
}
export interface Diagram {
  readonly nodes: readonly DiagramNode[];
  readonly edges: readonly DiagramEdge[];
  readonly width: number;
  readonly height: number;
}

export const nodeWidth = 108;
export const nodeHeight = 30;
const columnWidth = 206;
const rowHeight = 66;
const margin = 34;

const initial = "new";

/** Returns the least number of moves from the beginning to each state. */
function ranksOf({ states, transitions }: DiagramMachine): Map<string, number> {
  const ranks = new Map([[initial, 0]]);
  for (const [state, rank] of ranks)
    for (const { from, to } of transitions)
      if (from === state) for (const next of to) if (!ranks.has(next)) ranks.set(next, rank + 1);
  for (const state of states) if (!ranks.has(state)) ranks.set(state, 1);
  return ranks;
}

export function layOut(machine: DiagramMachine): Diagram {
  const ranks = ranksOf(machine);
  const columns: string[][] = [];
  for (const [state, rank] of ranks) {
    columns[rank] ??= [];
    columns[rank].push(state);
  }
  const highest = Math.max(...columns.map((column) => column?.length ?? 0));
  const nodes = new Map<string, DiagramNode>();
  for (const [rank, column] of columns.entries())
    for (const [row, state] of (column ?? []).entries()) {
      const above = ((highest - column.length) * rowHeight) / 2;
      nodes.set(state, { state, x: margin + rank * columnWidth, y: margin + above + row * rowHeight });
    }
  const moves = new Map<string, DiagramEdge & { moves: string[] }>();
  for (const { move, from, to } of machine.transitions)
    for (const next of to) {
      const [start, end] = [nodes.get(from), nodes.get(next)];
      if (!start || !end) continue;
      const key = `${from} ${next}`;
      const edge = moves.get(key) ?? { from: start, to: end, moves: [] };
      edge.moves.push(move);
      moves.set(key, edge);
    }
  return {
    nodes: [...nodes.values()],
    edges: [...moves.values()],
    width: margin * 2 + (columns.length - 1) * columnWidth + nodeWidth,
    height: margin * 2 + (highest - 1) * rowHeight + nodeHeight,
  };
}

/** Returns the line of an edge, and where its label stands. */
export function pathOfEdge({ from, to }: DiagramEdge): { d: string; x: number; y: number } {
  const middle = (node: DiagramNode) => node.y + nodeHeight / 2;
  if (from === to) {
    const x = from.x + nodeWidth / 2;
    return {
      d: `M${x - 22} ${from.y}C${x - 22} ${from.y - 26} ${x + 22} ${from.y - 26} ${x + 22} ${from.y}`,
      x,
      y: from.y - 22,
    };
  }
  if (to.x > from.x) {
    const [x1, y1, x2, y2] = [from.x + nodeWidth, middle(from), to.x, middle(to)];
    const half = (x1 + x2) / 2;
    return { d: `M${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}`, x: half, y: (y1 + y2) / 2 - 5 };
  }
  if (to.x === from.x) {
    const down = to.y > from.y;
    const x = from.x + nodeWidth / 2 + (down ? 16 : -16);
    const [y1, y2] = down ? [from.y + nodeHeight, to.y] : [from.y, to.y + nodeHeight];
    return { d: `M${x} ${y1}L${x} ${y2}`, x: x + (down ? 30 : -30), y: (y1 + y2) / 2 + 4 };
  }
  // An edge that leads back runs below both states.
  const [x1, y1, x2, y2] = [from.x + 30, from.y + nodeHeight, to.x + nodeWidth - 30, to.y + nodeHeight];
  const low = Math.max(y1, y2) + 24;
  return { d: `M${x1} ${y1}C${x1} ${low} ${x2} ${low} ${x2} ${y2}`, x: (x1 + x2) / 2, y: low - 2 };
}
