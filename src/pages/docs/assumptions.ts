/** Renders /docs/assumptions: each assumption with its reason, its values, and the one in force. */
import type { Assumption } from "../../contract/assumptions/assumption.js";
import { controlPath } from "../../contract/control-routes.js";
import type { FindValidation } from "../../contract/drift-lock.js";
import { type Html, html } from "../../documents/html.js";
import { assumptions } from "../../service/assumptions.js";
import { anchorOf, type DocsPage, groupBy, inline, paragraphs } from "./layout.js";

/** Values in force, by the ids of assumptions that can be switched. */
export type InForce = Readonly<Record<string, string>>;

const groupOf = ({ id }: Assumption): string => id.split(".", 1)[0] ?? id;

const title = (group: string): string => group.charAt(0).toUpperCase() + group.slice(1).replaceAll("_", " ");

/** Prefixed, because an assumption may have the name of a group. */
const groupAnchor = (group: string): string => `about-${anchorOf(group)}`;

const isSwitched = ({ id, switch: values }: Assumption, inForce: InForce): boolean =>
  values !== undefined && inForce[id] !== values.default;

function renderValues({ id, switch: values }: Assumption, inForce: InForce): Html {
  if (!values) return html`<p class="fixed">It cannot be switched.</p>\n`;
  const all = [[values.default, "as above, the default"], ...Object.entries(values.alternatives)] as const;
  const row = ([value, meaning]: readonly [string, string]) => {
    const mark = value === inForce[id] ? html` <span class="tag good">in force</span>` : html``;
    return html`<dt><code>${value}</code>${mark}</dt><dd>${inline(meaning)}</dd>\n`;
  };
  const other = all.find(([value]) => value !== inForce[id])?.[0] ?? values.default;
  return html`<h4>Values</h4>
<dl class="choices">
${all.map(row)}</dl>
<p>To switch: <code>--assume ${id}=${other}</code></p>
`;
}

function renderValidation({ id, switch: values }: Assumption, inForce: InForce, find: FindValidation): Html {
  if (!values) return html``;
  const found = find(id);
  if (!found) return html`<p class="validated">Validated against the service: never.</p>\n`;
  const { age, observed } = found;
  const has = observed === null ? "none of the values" : observed;
  const contradicts = observed === inForce[id] ? html`` : html` The service has <code>${has}</code>.`;
  return html`<p class="validated">Validated against the service: ${age}.${contradicts}</p>\n`;
}

const renderAssumption = (
  row: Assumption,
  inForce: InForce,
  find: FindValidation,
): Html => html`<section class="card entry" aria-labelledby="${row.id}">
<h3 id="${row.id}"><a href="#${row.id}">${row.id}</a></h3>
<p class="question">${inline(row.question)}</p>
<div class="answer">
${paragraphs(row.default)}</div>
<p class="reason">Why: ${inline(row.reason)}</p>
${renderValues(row, inForce)}${renderValidation(row, inForce, find)}</section>
`;

function renderSwitched(inForce: InForce): Html {
  const switched = assumptions.filter((row) => isSwitched(row, inForce));
  if (switched.length === 0) return html`<p>All assumptions have their default values.</p>\n`;
  return html`<p>Switched now: ${switched.map(
    ({ id }, index) =>
      html`${index > 0 ? ", " : ""}<a href="#${id}"><code>${id}=${inForce[id] ?? ""}</code></a>`,
  )}.</p>\n`;
}

/** How many of the assumptions that can be switched the service confirms. */
function renderShare(inForce: InForce, find: FindValidation): Html {
  const ids = Object.keys(inForce);
  const confirmed = ids.filter((id) => find(id)?.observed === inForce[id]);
  return html`<p class="share">The service confirms ${confirmed.length} of the ${ids.length} that can be switched.</p>
`;
}

const intro = html`<h1>Assumptions</h1>
<p>Where the interface of the service is silent, the sandbox behaves as described here. Assumptions with values can be switched
when the sandbox starts. Each of these overrides those before it:</p>
<ol>
<li><code>"assumptions": {"errors.body": "flat"}</code> in <code>standin.config.json</code>,</li>
<li>the environment variable <code>STANDIN_ASSUMPTIONS="errors.body=flat"</code>, comma-separated,</li>
<li>the flag <code>--assume errors.body=flat</code>, which can be repeated.</li>
</ol>
<p>As JSON: <a href="${controlPath("listAssumptions")}">${controlPath("listAssumptions")}</a>.</p>
`;

export function assumptionsHtmlPage(inForce: InForce, find: FindValidation): DocsPage {
  const groups = groupBy(assumptions, groupOf);
  const contents = html`<nav aria-label="On this page"><ul class="contents">
${groups.map(([group]) => html`<li><a href="#${groupAnchor(group)}">${title(group)}</a></li>\n`)}</ul></nav>
`;
  return {
    title: "Assumptions · Standin",
    path: "/docs/assumptions",
    main: html`${intro}${renderShare(inForce, find)}${renderSwitched(inForce)}${contents}${groups.map(
      ([group, rows]) => html`<h2 id="${groupAnchor(group)}">${title(group)}</h2>
${rows.map((row) => renderAssumption(row, inForce, find))}`,
    )}`,
  };
}
