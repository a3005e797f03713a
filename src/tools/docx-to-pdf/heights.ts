/** How high nodes will be, near enough to keep headers and footers clear of the text. Points. */
import type { Node, TableNode } from "./nodes.js";

/** Of a letter, in times of its size. */
const letterWidth = 0.5;
const lineHeight = 1.2;

export function heightOf(nodes: readonly Node[], width: number): number {
  return nodes.reduce((sum, node) => sum + ownHeight(node, width), 0);
}

function ownHeight(node: Node, width: number): number {
  const [, above = 0, , below = 0] = node.margin ?? [];
  return above + below + innerHeight(node, width);
}

function innerHeight(node: Node, width: number): number {
  if ("text" in node) {
    const size = Math.max(
      0,
      ...node.text.map(({ fontSize, lineHeight: times = 1, picture }) =>
        Math.max(fontSize * times, picture?.height ?? 0),
      ),
    );
    const length = node.text.reduce(
      (sum, { text, fontSize, picture }) => sum + (picture?.width ?? text.length * fontSize * letterWidth),
      0,
    );
    const forced = node.text.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
    return size * lineHeight * (Math.max(1, Math.ceil(length / width)) + forced);
  }
  if ("image" in node) return node.height;
  if ("stack" in node) return heightOf(node.stack, width);
  if ("columns" in node) return Math.max(0, ...node.columns.map(({ height }) => height));
  if ("canvas" in node) return 2;
  return tableHeight(node);
}

function tableHeight({ table }: TableNode): number {
  return table.body.reduce((sum, row, at) => {
    const least = table.heights[at];
    const cells = row.map((cell, column) =>
      "stack" in cell ? heightOf(cell.stack as Node[], table.widths[column] ?? 100) : 0,
    );
    return sum + 2 + Math.max(typeof least === "number" ? least : 0, ...cells);
  }, 0);
}
