/** Renders /docs/values: the outcomes of every operation and the test values that trigger them, by section of the interface. */
import { controlPath, controlRoutes } from "../../contract/control-routes.js";
import { type AnyOperation, commonOutcomes, methodOf, pathOf } from "../../contract/operation.js";
import { type Html, html } from "../../documents/html.js";
import { tagOf } from "../../documents/openapi/tags.js";
import { serviceSections } from "../../service/sections.js";
import { type TestValue, testValues } from "../../service/test-values.js";
import { anchorOf, type DocsPage, groupBy, inline } from "./layout.js";

export interface OutcomeSource {
  /** Operations of the service. */
  readonly operations: readonly AnyOperation[];
  outcomesOf(operation: AnyOperation): Readonly<Record<string, string>>;
  /** Returns null if the operation has no outcomes of its own. */
  defaultOutcome(operation: AnyOperation): string | null;
}

type Outcome = readonly [name: string, description: string];

const isCommon = ([name]: Outcome): boolean => name in commonOutcomes;

const renderTerm = (name: string, mark: Html, meaning: Html): Html =>
  html`<dt><code>${name}</code>${mark}</dt><dd>${meaning}</dd>\n`;

const renderTestValue = ({ value, outcome, note }: TestValue): Html =>
  renderTerm(value, html``, html`<code>${outcome}</code> ${inline(note)}`);

const renderTestValues = ([where, values]: [string, TestValue[]]): Html => html`<h4>Test values: ${where}</h4>
<dl class="values">
${values.map(renderTestValue)}</dl>
`;

function renderOutcomes(own: readonly Outcome[], byDefault: string | null): Html {
  if (own.length === 0) return html`<p>It succeeds. It has no outcomes of its own.</p>\n`;
  const mark = (name: string) => (name === byDefault ? html` <span class="tag good">default</span>` : html``);
  return html`<dl class="outcomes">
${own.map(([name, description]) => renderTerm(name, mark(name), inline(description)))}</dl>
`;
}

/** Lists the names of the common outcomes, which are described once for all operations. */
const renderCommon = (common: readonly Outcome[]): Html =>
  html`<p class="common">Common outcomes: ${common.map(
    ([name], index) => html`${index > 0 ? ", " : ""}<a href="#${name}"><code>${name}</code></a>`,
  )}</p>\n`;

function renderOperation(operation: AnyOperation, source: OutcomeSource): Html {
  const { id, summary } = operation;
  const outcomes = Object.entries(source.outcomesOf(operation));
  const values = testValues.filter(({ operations }) => operations.includes(id));
  return html`<section class="card entry" aria-labelledby="${id}">
<h3 id="${id}"><a href="#${id}">${inline(summary)}</a></h3>
<p><code>${methodOf(operation)} ${pathOf(operation)}</code> <code>${id}</code> <a href="/#/reference/${id}" aria-label="Try it out: ${id}">Try it out</a></p>
${renderOutcomes(
  outcomes.filter((named) => !isCommon(named)),
  source.defaultOutcome(operation),
)}${groupBy(values, ({ where }) => where).map(renderTestValues)}${renderCommon(outcomes.filter(isCommon))}</section>
`;
}

const intro = html`<h1>Test values and outcomes</h1>
<p>The first of these that applies decides the outcome of a request. Each reply names it in <code>X-Sandbox-Outcome</code>:</p>
<ol>
<li>the request header <code>X-Sandbox-Outcome: sms_failed</code>, with any outcome of the operation;</li>
<li>a rule: <code>${controlRoutes.createRule}</code>;</li>
<li>a test value in the request;</li>
<li>the default.</li>
</ol>
<p>As JSON: <a href="${controlPath("listOutcomes")}">${controlPath("listOutcomes")}</a>.</p>
`;

const commonSection = html`<h2 id="every-operation">Every operation</h2>
<p>Every operation has these outcomes in addition to its own.</p>
<dl class="every">
${Object.entries(commonOutcomes).map(
  ([name, description]) => html`<dt id="${name}"><code>${name}</code></dt><dd>${inline(description)}</dd>\n`,
)}</dl>
`;

export function testValuesPage(source: OutcomeSource): DocsPage {
  const sections = groupBy(source.operations, (operation) => tagOf(operation, serviceSections).name);
  const contents = html`<nav aria-label="On this page"><ul class="contents">
<li><a href="#every-operation">Every operation</a></li>
${sections.map(([name]) => html`<li><a href="#${anchorOf(name)}">${name}</a></li>\n`)}</ul></nav>
`;
  return {
    title: "Test values · Standin",
    path: "/docs/values",
    main: html`${intro}${contents}${commonSection}${sections.map(
      ([name, operations]) => html`<h2 id="${anchorOf(name)}">${name}</h2>
${operations.map((operation) => renderOperation(operation, source))}`,
    )}`,
  };
}
