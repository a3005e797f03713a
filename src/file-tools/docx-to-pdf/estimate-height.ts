/** Estimates the height of nodes in points, to keep headers and footers clear of the text. */
import type { Node, TableNode } from "./nodes.js";

/** Ratios of the font size. */
const letterWidthRatio = 0.5;
const lineHeightRatio = 1.2;

export function estimateHeight(nodes: readonly Node[], width: number): number {
  return nodes.reduce((sum, node) => sum + nodeHeight(node, width), 0);
}

function nodeHeight(node: Node, width: number): number {
  const [, above = 0, , below = 0] = node.margin ?? [];
  return above + below + contentHeight(node, width);
}

function contentHeight(node: Node, width: number): number {
  if ("text" in node) {
    const size = Math.max(
      0,
      ...node.text.map(({ fontSize, lineHeight: times = 1, picture }) =>
        Math.max(fontSize * times, picture?.height ?? 0),
      ),
    );
    const length = node.text.reduce(
      (sum, { text, fontSize, picture }) =>
        sum + (picture?.width ?? text.length * fontSize * letterWidthRatio),
      0,
    );
    const forced = node.text.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
    return size * lineHeightRatio * (Math.max(1, Math.ceil(length / width)) + forced);
  }
  if ("image" in node) return node.height;
  if ("stack" in node) return estimateHeight(node.stack, width);
  if ("columns" in node) return Math.max(0, ...node.columns.map(({ height }) => height));
  if ("canvas" in node) return 2;
  return tableHeight(node);
}

function tableHeight({ table }: TableNode): number {
  return table.body.reduce((sum, row, at) => {
    const least = table.heights[at];
    const cells = row.map((cell, column) =>
      "stack" in cell ? estimateHeight(cell.stack as Node[], table.widths[column] ?? 100) : 0,
    );
    return sum + 2 + Math.max(typeof least === "number" ? least : 0, ...cells);
  }, 0);
}
