/** A state machine as a drawing, with the state of a record. Its table is read out instead of it. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { layOut, type Machine, nodeHeight, nodeWidth, pathOf } from "./layout.js";

export function StateDiagram({
  machine,
  state,
  legal,
}: {
  machine: Machine;
  state: string;
  legal: readonly string[];
}) {
  const { nodes, edges, width, height } = layOut(machine);
  const description = machine.transitions
    .map(({ move, from, to }) => `${move}: ${from} to ${to.join(" or ")}`)
    .join("; ");
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const node = nodes.find((one) => one.state === state);
    if (box.current && node) box.current.scrollLeft = node.x + (nodeWidth - box.current.clientWidth) / 2;
  }, [state]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on narrow screens, with the keyboard too
    <section class="diagram" ref={box} tabIndex={0} aria-label="State machine">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        style={{ width: `${width}px` }}
        role="img"
        aria-label={`The ${machine.name} is ${state}. Its moves: ${description}`}
      >
        <defs>
          <marker
            id="arrow"
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
          const { d, x, y } = pathOf(edge);
          const isLegal = edge.from.state === state && edge.moves.some((move) => legal.includes(move));
          return (
            <g key={d} class={isLegal ? "edge legal" : "edge"}>
              <path d={d} marker-end="url(#arrow)" />
              {isLegal || edge.from.state === "new" ? (
                <text x={x} y={y}>
                  {edge.moves.join(", ")}
                </text>
              ) : (
                <title>{edge.moves.join(", ")}</title>
              )}
            </g>
          );
        })}
        {nodes.map(({ state: name, x, y }) => (
          <g key={name} class={`node ${name === state ? "current" : ""} ${name === "new" ? "start" : ""}`}>
            <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx="15" />
            <text x={x + nodeWidth / 2} y={y + nodeHeight / 2 + 4}>
              {name}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}
