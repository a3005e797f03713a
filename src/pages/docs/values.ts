/** /docs/values: every operation's outcomes, and the test values that ask for them, by section of the interface. */

import { commonOutcomes } from "../../contract/decision.js";
import { serviceTags, tagOf } from "../../contract/openapi/tags.js";
import { type AnyOperation, methodOf, pathOf } from "../../contract/operation.js";
import { type TestValue, testValues } from "../../service/test-values.js";
import { type Html, html } from "../html.js";
import type { TesterPage } from "./frame.js";
import { anchorOf, groupBy, inline } from "./text.js";

export interface OutcomeSource {
  /** The service's operations. */
  readonly operations: readonly AnyOperation[];
  outcomesOf(operation: AnyOperation): Readonly<Record<string, string>>;
  /** Null: the operation has the common outcomes alone. */
  defaultOutcome(operation: AnyOperation): string | null;
}

type Named = readonly [name: string, description: string];

const isCommon = ([name]: Named): boolean => name in commonOutcomes;

const pair = (name: string, mark: Html, meaning: Html): Html =>
  html`<dt><code>${name}</code>${mark}</dt><dd>${meaning}</dd>\n`;

const valueRow = ({ value, outcome, note }: TestValue): Html =>
  pair(value, html``, html`<code>${outcome}</code> ${inline(note)}`);

const valuesAt = ([where, values]: [string, TestValue[]]): Html => html`<h4>Test values: ${where}</h4>
<dl class="values">
${values.map(valueRow)}</dl>
`;

function outcomesOf(own: readonly Named[], byDefault: string | null): Html {
  if (own.length === 0) return html`<p>It succeeds, and has no outcomes of its own.</p>\n`;
  const mark = (name: string) => (name === byDefault ? html` <span class="mark">default</span>` : html``);
  return html`<dl class="outcomes">
${own.map(([name, description]) => pair(name, mark(name), inline(description)))}</dl>
`;
}

/** The same four everywhere are told once, and only named here. */
const commonOf = (common: readonly Named[]): Html =>
  html`<p class="common">As everywhere: ${common.map(
    ([name], index) => html`${index > 0 ? ", " : ""}<a href="#${name}"><code>${name}</code></a>`,
  )}</p>\n`;

function operationSection(operation: AnyOperation, source: OutcomeSource): Html {
  const { id, summary } = operation;
  const outcomes = Object.entries(source.outcomesOf(operation));
  const values = testValues.filter(({ operations }) => operations.includes(id));
  const reference = `/docs#/${encodeURIComponent(tagOf(operation, serviceTags).name)}/${id}`;
  return html`<section class="entry" aria-labelledby="${id}">
<h3 id="${id}"><a href="#${id}">${id}</a></h3>
<p><code>${methodOf(operation)} ${pathOf(operation)}</code> ${inline(summary)}. <a href="${reference}" aria-label="${id} in the API reference">Try it out</a></p>
${outcomesOf(
  outcomes.filter((named) => !isCommon(named)),
  source.defaultOutcome(operation),
)}${groupBy(values, ({ where }) => where).map(valuesAt)}${commonOf(outcomes.filter(isCommon))}</section>
`;
}

const intro = html`<h1>Test values and outcomes</h1>
<p>What decides how a request ends, the first that applies; each reply says in <code>X-Sandbox-Outcome</code> which it was:</p>
<ol>
<li>the request header <code>X-Sandbox-Outcome: sms_failed</code>, with any outcome that the operation has;</li>
<li>a rule: <code>POST /_sandbox/rules</code>;</li>
<li>a test value in the request;</li>
<li>the default.</li>
</ol>
<p>The same as JSON: <a href="/_sandbox/outcomes">/_sandbox/outcomes</a>.</p>
`;

const everywhere = html`<h2 id="every-operation">Every operation</h2>
<p>These outcomes every operation has, beside its own.</p>
<dl class="every">
${Object.entries(commonOutcomes).map(
  ([name, description]) => html`<dt id="${name}"><code>${name}</code></dt><dd>${inline(description)}</dd>\n`,
)}</dl>
`;

export function valuesPage(source: OutcomeSource): TesterPage {
  const sections = groupBy(source.operations, (operation) => tagOf(operation, serviceTags).name);
  const contents = html`<nav class="contents" aria-label="On this page"><ul>
<li><a href="#every-operation">Every operation</a></li>
${sections.map(([name]) => html`<li><a href="#${anchorOf(name)}">${name}</a></li>\n`)}</ul></nav>
`;
  return {
    title: "Test values · Standin",
    path: "/docs/values",
    styles: ["/docs.css"],
    main: html`${intro}${contents}${everywhere}${sections.map(
      ([name, operations]) => html`<h2 id="${anchorOf(name)}">${name}</h2>
${operations.map((operation) => operationSection(operation, source))}`,
    )}`,
  };
}
