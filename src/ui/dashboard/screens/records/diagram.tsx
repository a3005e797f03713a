/** State machines as drawings: with the state of a record and the way that it has come, or with how often each move happened. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { RecordEntry } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/control-call.js";
import { notifyError } from "../../state/toasts.js";
import {
  type DiagramEdge,
  type DiagramMachine,
  layOut,
  nodeHeight,
  nodeWidth,
  pathOfEdge,
} from "./layout.js";
import { stateTone } from "./state-tone.js";

/** Number of characters of a state that fit into its box. */
const longestState = 14;

interface DiagramProps {
  machine: DiagramMachine;
  /** Text that is read out instead of the drawing. */
  label: string;
  /** Returns the classes of an edge, and its label if one is shown. Its moves are under the pointer. */
  lookOf(edge: DiagramEdge): { look: string; text: string | null; onClick?: (() => void) | undefined };
  /** Returns the classes of a state. */
  stateLook(state: string): string;
  /** State that is scrolled to. Default: the beginning. */
  centre?: string;
}

function Diagram({ machine, label, lookOf, stateLook, centre }: DiagramProps) {
  const { nodes, edges, width, height } = layOut(machine);
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const node = nodes.find(({ state }) => state === centre);
    if (box.current && node) box.current.scrollLeft = node.x + (nodeWidth - box.current.clientWidth) / 2;
  }, [centre]);
  const arrow = `arrow-${machine.name}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on narrow screens, with the keyboard too
    <section class="diagram" ref={box} tabIndex={0} aria-label={`State machine of ${machine.name}`}>
      <svg viewBox={`0 0 ${width} ${height}`} style={{ width: `${width}px` }} role="img" aria-label={label}>
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {edges.map((edge) => {
          const { d, x, y } = pathOfEdge(edge);
          const { look, text, onClick } = lookOf(edge);
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: buttons below the drawing do the same
            <g key={d} class={`edge ${look} ${onClick ? "lever" : ""}`} onClick={onClick}>
              <path d={d} marker-end={`url(#${arrow})`} />
              <title>{edge.moves.join(", ")}</title>
              {text !== null && (
                <text x={x} y={y}>
                  {text}
                </text>
              )}
            </g>
          );
        })}
        {nodes.map(({ state, x, y }) => (
          <g key={state} class={`node ${stateLook(state)} ${state === "new" ? "start" : ""}`}>
            <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx="15" />
            <text
              x={x + nodeWidth / 2}
              y={y + nodeHeight / 2 + 4}
              {...(state.length > longestState
                ? { textLength: nodeWidth - 14, lengthAdjust: "spacingAndGlyphs" }
                : {})}
            >
              {state}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}

/** Draws the machine of a record. The moves that are possible now stand out, and so does the way that it has come. */
export function StateDiagram({
  machine,
  record: { state, history, moves },
}: {
  machine: DiagramMachine;
  record: Pick<RecordEntry, "state" | "history" | "moves">;
}) {
  const legal = moves.map(({ move }) => move);
  const way = ["new", ...history.map(({ to }) => to)];
  const possible = machine.transitions
    .map(({ move, from, to }) => `${move}: ${from} to ${to.join(" or ")}`)
    .join("; ");
  const lookOf = ({ from, to, moves: names }: DiagramEdge) => {
    const isLegal = from.state === state && names.some((move) => legal.includes(move));
    const isTravelled = history.some((step) => step.from === from.state && step.to === to.state);
    return {
      look: `${isLegal ? "legal" : ""} ${isTravelled ? "travelled" : ""}`,
      text: isLegal || from.state === "new" ? names.join(", ") : null,
    };
  };
  return (
    <Diagram
      machine={machine}
      label={`The ${machine.name} is ${state}; its way: ${way.join(", ")}. Its moves: ${possible}`}
      lookOf={lookOf}
      stateLook={(name) => (name === state ? `current ${stateTone(name)}` : "")}
      centre={state}
    />
  );
}

type Transition = CallReply<"getCoverage">["transitions"][number];

/** Draws a machine with how often each of its moves happened. What was never reached stands out. */
export function CoverageDiagram({
  machine,
  transitions,
  onMove,
}: {
  machine: DiagramMachine;
  transitions: readonly Transition[];
  /** Makes a move that was never reached happen, after a click on it. */
  onMove(transition: Transition): Promise<void>;
}) {
  const along = ({ from, to, moves }: DiagramEdge): Transition[] =>
    transitions.filter(
      (one) =>
        one.from === from.state && moves.includes(one.move) && (one.to === to.state || one.to === "computed"),
    );
  const countOf = (edge: DiagramEdge): number => along(edge).reduce((sum, { count }) => sum + count, 0);
  const { edges } = layOut(machine);
  const reached = new Set(["new", ...edges.filter((edge) => countOf(edge) > 0).map(({ to }) => to.state)]);
  const counts = transitions.map(({ move, from, to, count }) => `${move} from ${from} to ${to}: ${count}`);
  const lookOf = (edge: DiagramEdge) => {
    const count = countOf(edge);
    // Where its input decides, a move is counted for all states that it may lead to.
    const isShared = count > 0 && along(edge).some(({ to }) => to === "computed");
    const [missing] = count > 0 || edge.from.state === "new" ? [] : along(edge);
    return {
      look: count > 0 ? "travelled" : "unreached",
      text: `${isShared ? "at most " : ""}${count}`,
      onClick: missing && (() => void onMove(missing).catch(notifyError)),
    };
  };
  return (
    <Diagram
      machine={machine}
      label={`How often the moves of ${machine.name} happened. ${counts.join("; ")}`}
      lookOf={lookOf}
      stateLook={(state) => (reached.has(state) ? "" : "unreached")}
    />
  );
}
