/**
 * Reports of what a command has judged: one value, and its renderers for terminals, JSON, JUnit XML, Markdown and HTML. The
 * exit code follows from its outcome.
 */
import { escapeMarkup } from "../../contract/escape-markup.js";
import { Html, html } from "../../documents/html.js";
import { stepListStyle } from "../../documents/story/picture.js";
import { CommandError, exitCodes } from "../errors.js";
import { type FlagsOf, type FlagTable, flagTable } from "../flags.js";
import { print, problemsOf, toOneLine, writeInFolder, writeMarkdown } from "./print.js";

/** Something that was judged: a test case of the JUnit report. */
export interface ReportRow {
  readonly group: string;
  readonly name: string;
  /** A `note` has passed, and its text is worth reading. */
  readonly verdict: "passed" | "failed" | "skipped" | "note";
  /** Why it failed or was skipped, or the note. */
  readonly text?: string;
  /** Default 0. */
  readonly seconds?: number;
}

/** Part of the Markdown report: paragraphs, a table, and a folded part. */
export interface ReportSection {
  readonly heading: string;
  /** Default 2. */
  readonly level?: 2 | 3;
  readonly before?: readonly string[];
  readonly headings?: readonly string[];
  readonly rows?: readonly (readonly (string | readonly string[])[])[];
  /** Lines that are shown as they are, once the reader opens them. */
  readonly folded?: { readonly summary: string; readonly lines: readonly string[] } | undefined;
  readonly after?: readonly string[];
}

export interface Report {
  /** Name of the suite in JUnit XML. */
  readonly title: string;
  readonly outcome: keyof typeof exitCodes;
  /** Sentences on stderr at the end. Without them, only the exit code shows the outcome. */
  readonly reasons?: readonly string[];
  readonly rows: readonly ReportRow[];
  readonly sections?: readonly ReportSection[];
  /** Document that --json prints. */
  readonly document: unknown;
  /** Returns what a terminal shows. */
  text(): string;
  /** Returns the page of HTML. */
  page?(): ReportPage | Promise<ReportPage>;
  /** Other files, by their names in messages. `file` is undefined if the file was not requested. */
  readonly files?: Readonly<Record<string, { readonly file: string | undefined; content(): string }>>;
}

/** Page of HTML: a title, the verdict in a line, its reasons, and the content of the command. */
export interface ReportPage {
  readonly title: string;
  readonly verdict: string;
  /** Default: the tone of the report's outcome. */
  readonly tone?: "good" | "wait" | "bad";
  /** Paragraphs below the verdict. Default: the reasons of the report. */
  readonly notes?: readonly string[];
  readonly content: Html;
}

/** The options by which a report is printed and written. */
export const outputs = {
  json: ["--json", "print the report as one JSON document"],
  junit: ["--junit <file>", "write the report as JUnit XML"],
  markdown: ["--markdown <file>", "write the report as Markdown, for the summary of a CI run"],
  html: ["--html <file>", "write the report as a page of HTML, with pictures of what happened"],
} as const;
type Output = (typeof outputs)[keyof typeof outputs];

export type ReportFlags = FlagsOf<FlagTable<Output[]>>;

/** Returns the options of every report, and others after them. */
export const reportOptions = (...more: Output[]) =>
  flagTable("Output:", [outputs.json, outputs.junit, ...more]);

/** The flags, in which a report may go to several files of Markdown. */
export type ReportTargets = Omit<ReportFlags, "markdown"> & { markdown?: string | readonly string[] };

/**
 * Writes the report, prints it, and sets the exit code. `earlier` says which other files could not be written. Rejects with a
 * CommandError that says what went wrong, if the report does not show it.
 */
export async function publish(
  report: Report,
  flags: ReportTargets,
  earlier: readonly string[] = [],
): Promise<void> {
  const problems = await writeReport(report, flags);
  print(`${flags.json ? JSON.stringify(report.document) : report.text()}\n`);
  conclude(report, [...earlier, ...problems]);
}

/** Writes the requested files. Returns why some could not be written. */
export async function writeReport(
  report: Report,
  { junit, markdown = [], html: page }: ReportTargets,
): Promise<string[]> {
  const { rows, sections = [], files = {} } = report;
  const content = page === undefined ? undefined : await report.page?.();
  const writing = [
    ...Object.entries(files).map(
      ([what, { file, content }]) => file !== undefined && writeInFolder(what, file, content()),
    ),
    junit !== undefined && writeInFolder("the report", junit, formatJunit(report.title, rows)),
    ...[markdown].flat().map((file) => writeMarkdown("the report", file, formatMarkdown(sections))),
    page !== undefined && content && writeInFolder("the page", page, formatPage(content, report)),
  ];
  return problemsOf(...writing.filter((written) => typeof written === "object"));
}

/** Ends the command with the exit code of the report, or as failed if there are problems. */
export function conclude({ outcome, reasons = [] }: Report, problems: readonly string[] = []): void {
  const { code } = exitCodes[problems.length > 0 ? "failed" : outcome];
  if (code === exitCodes.passed.code) return;
  const all = [...problems, ...reasons];
  if (all.length > 0) throw new CommandError(all.join("; "), code);
  process.exitCode = code;
}

/** Escapes text for XML, including whitespace, which parsers would turn into spaces in attributes. */
const escapeXml = (text: string): string =>
  escapeMarkup(text).replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

const formatAttributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");

function formatVerdict({ verdict, text = "" }: ReportRow): string {
  if (verdict === "failed") return `<failure${formatAttributes({ message: text })}/>`;
  if (verdict === "skipped") return `<skipped${formatAttributes({ message: text })}/>`;
  return verdict === "note" ? `<system-out>${escapeXml(text)}</system-out>` : "";
}

const formatCase = (row: ReportRow): string =>
  `    <testcase${formatAttributes({ classname: row.group, name: row.name, time: row.seconds ?? 0 })}>${formatVerdict(row)}</testcase>`;

export function formatJunit(name: string, rows: readonly ReportRow[]): string {
  const totals = {
    name,
    tests: rows.length,
    failures: rows.filter(({ verdict }) => verdict === "failed").length,
    errors: 0,
    skipped: rows.filter(({ verdict }) => verdict === "skipped").length,
    time: Math.round(rows.reduce((sum, { seconds = 0 }) => sum + seconds, 0) * 1000) / 1000,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>`,
    `  <testsuite${formatAttributes(totals)}>`,
    ...rows.map(formatCase),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const formatMarkdown = (sections: readonly ReportSection[]): string => sections.map(formatSection).join("\n");

function formatSection({
  heading,
  level = 2,
  before = [],
  headings = [],
  rows = [],
  folded,
  after = [],
}: ReportSection): string {
  const details = folded && [
    `<details><summary>${folded.summary}</summary>`,
    "",
    "```",
    ...folded.lines,
    "```",
    "",
    "</details>",
    "",
  ];
  return [
    `${"#".repeat(level)} ${heading}`,
    "",
    ...before.flatMap((text) => [text, ""]),
    ...(headings.length === 0 ? [] : [formatMarkdownTable(headings, rows), ""]),
    ...after.flatMap((text) => [escapeMarkdown(text), ""]),
    ...(details ?? []),
  ].join("\n");
}

/** Formats a table as Markdown. Lines of a cell are kept apart, and names between backticks are code. */
function formatMarkdownTable(
  headings: readonly string[],
  rows: readonly (readonly (string | readonly string[])[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => [cell].flat().map(escapeMarkdown).join("<br>")));
  return [headings, headings.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Escapes characters that would end a cell or begin HTML. */
const escapeMarkdown = (text: string): string =>
  toOneLine(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** Formats the sections of a report as parts of the page of HTML. */
export const formatSections = (sections: readonly ReportSection[] = []): Html[] =>
  sections.map(
    ({ heading, before = [], headings = [], rows = [], folded, after = [] }) => html`<h2>${heading}</h2>
${before.map((text) => html`<p>${text}</p>\n`)}${headings.length === 0 ? "" : formatTableOf(headings, rows)}${after.map((text) => html`<p>${text}</p>\n`)}${folded ? html`<details><summary>${folded.summary}</summary><pre>${folded.lines.join("\n")}</pre></details>\n` : ""}`,
  );

type Cell = string | readonly string[] | Html;

/** Formats a table, which scrolls if it is wider than the page. Numbers are aligned to the right. */
export function formatTableOf(headings: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  const isNumber = (column: number) =>
    rows.length > 0 && rows.every((row) => /^\d[\d,.]*%?$/.test(String(row[column] ?? "")));
  const attributes = (column: number) => (isNumber(column) ? html` class="number"` : html``);
  const format = (cell: Cell) =>
    cell instanceof Html
      ? cell
      : html`${[cell].flat().map((line, index) => html`${index > 0 ? html`<br>` : ""}${line}`)}`;
  return html`<div class="scroll"><table>
<thead><tr>${headings.map((name, column) => html`<th scope="col"${attributes(column)}>${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${row.map((cell, column) => html`<td${attributes(column)}>${format(cell)}</td>`)}</tr>\n`)}</tbody>
</table></div>
`;
}

/** Colours of the pages, as in the theme that the sandbox serves. */
export const reportColours = {
  ink: "light-dark(#1c2333, #ece9e3)",
  soft: "light-dark(#545b6b, #aab1c0)",
  paper: "light-dark(#fbfaf7, #14171f)",
  card: "light-dark(#ffffff, #1b202b)",
  line: "light-dark(#dcd8cf, #323846)",
  code: "light-dark(#f1efe9, #1e2330)",
  good: "light-dark(#0b6e4f, #6ddbb1)",
  wait: "light-dark(#7d4f00, #f0c46c)",
  bad: "light-dark(#a4262c, #ffa29c)",
} as const;

const colours = Object.entries(reportColours).map(([name, value]) => `--${name}: ${value};`);

const style = `
:root { color-scheme: light dark; ${colours.join(" ")} }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; } h1, h2, h3, li, dd, p { overflow-wrap: anywhere; }
.verdict { font-size: 1.2rem; font-weight: 600; margin: 0 0 1rem; } .bad { color: var(--bad); } .good { color: var(--good); } .wait { color: var(--wait); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-size: .875rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin: 1rem 0; break-inside: avoid; }
article > :is(h2, h3) { margin-top: 0; }
pre, code { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
.picture { overflow-x: auto; } .picture svg { display: block; }
pre { background: var(--code); padding: .75rem; white-space: pre-wrap; border-radius: 6px; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; } summary { cursor: pointer; }
@media (max-width: 30rem) { body { padding: 1rem .75rem; } th, td { padding-right: .5rem; font-size: .875rem; } article { padding: .75rem; } ol, ul { padding-left: 1.25rem; } }
@media print {
  :root { color-scheme: light; --paper: #fff; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  article { border: 0; padding: 0; break-inside: auto; }
  h2, h3, tr, li { break-inside: avoid; break-after: auto; } h2, h3 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
${stepListStyle}`;

const tones = { passed: "good", failed: "bad", couldNotRun: "bad", notTried: "wait" } as const;

const formatPage = (
  { title, verdict, tone, notes, content }: ReportPage,
  { outcome, reasons = [] }: Report,
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: ${verdict}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="verdict ${tone ?? tones[outcome]}">${verdict}</p>
${(notes ?? reasons).map((text) => html`<p>${text}</p>\n`)}${content}</main>
</body>
</html>
`.text;
