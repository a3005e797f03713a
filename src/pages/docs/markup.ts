/** Converts the texts of the catalogues to HTML. */
import { type Html, html } from "../../documents/html.js";

/** Converts text between backticks to code. */
export const inline = (text: string): Html =>
  html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

/** Converts one line to a paragraph, and several to a list. */
export function paragraphs(text: string): Html {
  const lines = text.split("\n");
  if (lines.length === 1) return html`<p>${inline(text)}</p>\n`;
  return html`<ul>\n${lines.map((line) => html`<li>${inline(line)}</li>\n`)}</ul>\n`;
}

/** Groups items by key, in the order in which the keys first occur. */
export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): [key: string, group: T[]][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups];
}

/** Converts a name to an anchor: `Real-time sessions` to `real-time-sessions`. */
export const anchorOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
