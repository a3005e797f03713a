/** Renders the operations of a contract as collapsed rows in sections. The script draws a row's details when it is opened. */
import { type EventKind, events } from "../../contract/events.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { type Tag, tagOf } from "../../documents/openapi/tags.js";
import { webhookOperationId } from "../../documents/openapi/webhooks.js";
import { type Html, html } from "../html.js";
import { anchorOf, groupBy, inline } from "./markup.js";

interface Row {
  /** `EVENT` for a webhook that the service sends. */
  method: string;
  /** Path of an operation, or kind of an event. */
  path: string;
  operationId: string;
  summary: string;
}

interface Section {
  name: string;
  description: string;
  rows: readonly Row[];
}

const toRow = (operation: AnyOperation): Row => ({
  method: methodOf(operation),
  path: pathOf(operation),
  operationId: operation.id,
  summary: operation.summary,
});

export function sectionsOf(operations: readonly AnyOperation[], tags: readonly Tag[]): Section[] {
  const named = new Map(operations.map((one) => [tagOf(one, tags).name, tagOf(one, tags)]));
  const groups = groupBy(operations, (one) => tagOf(one, tags).name);
  return groups.map(([name, group]) => ({
    name,
    description: named.get(name)?.description ?? "",
    rows: group.map(toRow),
  }));
}

/** Returns the section of the events that the service delivers. */
export const eventSection = (): Section => ({
  name: "Events",
  description: "What the service posts to registered webhook endpoints, signed.",
  rows: (Object.keys(events) as EventKind[]).map((kind) => ({
    method: "EVENT",
    path: kind,
    operationId: webhookOperationId(kind),
    summary: events[kind].description,
  })),
});

/** The path may break after each slash and dot, never inside a word. */
const breakable = (path: string): Html =>
  html`${path.split(/(?<=[/.])/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`))}`;

const renderRow = ({ method, path, operationId, summary }: Row): Html =>
  html`<details class="operation" id="${operationId}" data-path="${path}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code> <span class="about">${inline(summary)}</span></summary>
<div class="body"><p role="status">Loading …</p></div>
</details>
`;

const renderSection = ({
  name,
  description,
  rows,
}: Section): Html => html`<section class="operations" aria-labelledby="${anchorOf(name)}">
<h2 id="${anchorOf(name)}">${name}</h2>
<p class="description">${description}</p>
${rows.map(renderRow)}</section>
`;

export const renderOperationList = (
  sections: readonly Section[],
): Html => html`<div class="tools" id="tools" hidden>
<label>Filter <input type="search" id="filter" placeholder="payout, POST, /v1/verify …" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
<label>Key <input id="key" autocomplete="off" spellcheck="false"></label>
<p role="status" id="found"></p>
</div>
${sections.map(renderSection)}`;
