/** Texts of the catalogues as HTML: `code` between backticks, a list where there are several lines. */
import { type Html, html } from "../html.js";

export const inline = (text: string): Html =>
  html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

export function paragraphs(text: string): Html {
  const lines = text.split("\n");
  if (lines.length === 1) return html`<p>${inline(text)}</p>\n`;
  return html`<ul>\n${lines.map((line) => html`<li>${inline(line)}</li>\n`)}</ul>\n`;
}

/** The values of a map by a key, in the order in which the keys come. */
export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): [key: string, group: T[]][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups];
}

/** `Real-time sessions` as the name of an anchor. */
export const anchorOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
