/** The report card as one page of HTML that needs nothing else. */
import { stringify } from "yaml";
import { type Html, html } from "../../documents/html.js";
import { type ExamCard, grades } from "../../exam/card.js";
import { type ExamClass, examClasses } from "../../exam/perturbation.js";
import { countsOf, reasonsOf } from "./format-card.js";

const style = `
:root { color-scheme: light dark; --line: #d5d9de; --bad: #b3261e; --good: #146c2e; --soft: #f4f5f7; }
@media (prefers-color-scheme: dark) { :root { --line: #3b4046; --bad: #ff8a80; --good: #7ddc92; --soft: #24282d; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; }
.grade { font-size: 1.2rem; font-weight: 600; } .bad { color: var(--bad); } .good { color: var(--good); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
article { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0; break-inside: avoid; }
pre, code { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: 6px; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
`;

const formatClass = (name: ExamClass, card: ExamCard): Html => {
  const { tried, passed, findings, notTried } = countsOf(card, name);
  const numbers = [tried, passed, findings, notTried].map((count) => html`<td class="number">${count}</td>`);
  return html`<tr><th scope="row">${examClasses[name]}</th>${numbers}</tr>\n`;
};

const items = (lines: readonly string[]): Html =>
  html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;

const formatFinding = (finding: ExamCard["findings"][number]): Html => html`<article>
<h3>${finding.title}</h3>
<p><code>${finding.id}</code></p>
${items(finding.evidence)}
<dl><dt>Right</dt><dd>${finding.right}</dd><dt>Show it again</dt><dd><code>${finding.reproduce}</code></dd></dl>
<details><summary>Rules</summary><pre>${stringify(finding.perturbation)}</pre></details>
<details><summary>Output of the command</summary><pre>${finding.output.join("\n")}</pre></details>
</article>\n`;

const formatResult = (title: string, id: string, result: string): Html =>
  html`<tr><td>${title}<br><code>${id}</code></td><td>${result}</td></tr>\n`;

export function formatPage(card: ExamCard): string {
  const { grade, findings, tried, not_tried, baseline } = card;
  const command = card.command.join(" ");
  const results = [
    ...tried.map(({ title, id, result }) => formatResult(title, id, result)),
    ...not_tried.map(({ title, id, reason }) => formatResult(title, id, `not tried: ${reason}`)),
  ];
  const classes = (Object.keys(examClasses) as ExamClass[]).map((name) => formatClass(name, card));
  const undisturbed = baseline.conduct.length > 0 ? html`<h2>Undisturbed</h2>${items(baseline.conduct)}` : "";
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Exam of ${command}: grade ${grade}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Exam of <code>${command}</code></h1>
<p class="grade ${grade === "A" ? "good" : "bad"}">Grade ${grade}: ${grades[grade]}</p>
<div class="scroll"><table>
<thead><tr><th>What is asked of the client</th><th class="number">tried</th><th class="number">passed</th><th class="number">findings</th><th class="number">not tried</th></tr></thead>
<tbody>
${classes}</tbody>
</table></div>
${reasonsOf(card).map((line) => html`<p>${line}</p>\n`)}
<h2>Findings</h2>
${findings.length === 0 ? html`<p>There are none.</p>` : findings.map(formatFinding)}
${undisturbed}
<h2>Everything that was planned</h2>
<div class="scroll"><table>
<thead><tr><th>Disturbance</th><th>Result</th></tr></thead>
<tbody>
${results}</tbody>
</table></div>
</main>
</body>
</html>
`;
  return page.text;
}
