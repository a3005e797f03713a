/** The report card as one page of HTML that needs nothing else. */
import { stringify } from "yaml";
import { type Html, html } from "../../documents/html.js";
import { describeGrade, type ExamCard } from "../../exam/card.js";
import { type ExamClass, examClasses } from "../../exam/perturbation.js";
import { formatPicture, formatReportPage, type ToldStory } from "../output/story-page.js";
import { countsOf, describeLeftRunning, judgementOf, reasonsOf } from "./format-card.js";

type CardFinding = ExamCard["findings"][number];

const formatClass = (name: ExamClass, card: ExamCard): Html => {
  const { tried, passed, findings, notTried } = countsOf(card, name);
  const numbers = [tried, passed, findings, notTried].map((count) => html`<td class="number">${count}</td>`);
  return html`<tr><th scope="row">${examClasses[name]}</th>${numbers}</tr>\n`;
};

const items = (lines: readonly string[]): Html =>
  html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;

/** Draws the stories of a finding: that of one account as it is, those of several folded. */
const formatStories = (stories: readonly ToldStory[]): Html[] => {
  const [only] = stories;
  if (only && stories.length === 1) return [formatPicture(only.title, only.activities)];
  return stories.map(
    ({ title, activities }) =>
      html`<details><summary>What happened on ${title}</summary>${formatPicture(title, activities)}</details>\n`,
  );
};

const formatFinding = (finding: CardFinding, stories: readonly ToldStory[]): Html => html`<article>
<h3>${finding.title}</h3>
<p><code>${finding.id}</code></p>
${items(finding.evidence)}
${finding.accepted === null ? "" : html`<p>Accepted: ${finding.accepted}</p>\n`}${finding.cause === finding.id ? "" : html`<p>Of the same cause as <code>${finding.cause}</code></p>\n`}<dl><dt>Right</dt><dd>${finding.right}</dd><dt>Show it again</dt><dd><code>${finding.reproduce}</code></dd></dl>
${formatStories(stories)}
${finding.perturbation.length > 0 ? html`<details><summary>Rules</summary><pre>${stringify(finding.perturbation)}</pre></details>\n` : ""}<details><summary>Output of the command</summary><pre>${finding.output.join("\n")}</pre></details>
</article>\n`;

const formatResult = (title: string, id: string, result: string): Html =>
  html`<tr><td>${title}<br><code>${id}</code></td><td>${result}</td></tr>\n`;

/** Formats the card as a page. `stories`: what happened when a finding was shown, by its id. */
export function formatPage(card: ExamCard, stories: ReadonlyMap<string, readonly ToldStory[]>): string {
  const { findings, tried, not_tried, left_running } = card;
  const command = card.command.join(" ");
  const results = [
    ...tried.map(({ title, id, result }) => formatResult(title, id, result)),
    ...not_tried.map(({ title, id, reason }) => formatResult(title, id, `not tried: ${reason}`)),
  ];
  const classes = (Object.keys(examClasses) as ExamClass[]).map((name) => formatClass(name, card));
  const left =
    left_running.length > 0 ? html`<h2>Left running</h2>\n<p>${describeLeftRunning(left_running)}</p>` : "";
  return formatReportPage(
    `Exam of ${command}: ${describeGrade(card)}`,
    html`<h1>Exam of <code>${command}</code></h1>
<p class="grade ${judgementOf(card)}">${describeGrade(card)}</p>
<div class="scroll"><table>
<thead><tr><th>What is asked of the client</th><th class="number">tried</th><th class="number">passed</th><th class="number">findings</th><th class="number">not tried</th></tr></thead>
<tbody>
${classes}</tbody>
</table></div>
<p>${card.runs} runs of the command</p>
${reasonsOf(card).map((line) => html`<p>${line}</p>\n`)}
<h2>Findings</h2>
${findings.length === 0 ? html`<p>There are none.</p>` : findings.map((finding) => formatFinding(finding, stories.get(finding.id) ?? []))}
${left}
<h2>Everything that was planned</h2>
<div class="scroll"><table>
<thead><tr><th>Disturbance</th><th>Result</th></tr></thead>
<tbody>
${results}</tbody>
</table></div>
`,
  );
}
