/** The frame of the tester's pages: the way from each to the others, and one main part. */
import { type Html, html } from "../html.js";

const places = [
  ["/", "Start"],
  ["/docs", "API reference"],
  ["/docs/values", "Test values"],
  ["/docs/assumptions", "Assumptions"],
] as const;

export interface TesterPage {
  title: string;
  path: string;
  /** The place of the navigation that the page belongs to, where it is none itself. */
  within?: (typeof places)[number][0];
  /** Style sheets and scripts, by path. */
  styles?: readonly string[];
  scripts?: readonly string[];
  main: Html;
}

const link = ({ path, within }: TesterPage, [href, text]: (typeof places)[number]): Html => {
  if (href === path) return html`<li><a href="${href}" aria-current="page">${text}</a></li>\n`;
  if (href === within) return html`<li><a href="${href}" aria-current="true">${text}</a></li>\n`;
  return html`<li><a href="${href}">${text}</a></li>\n`;
};

/** Attributes with a path from the root, which `html` never writes into text. */
const pathAttribute = / (href|src|data-document|data-base)="\//g;

/** Renders the page with its links below `basePath`, the path that the sandbox is served under; empty for the root. */
export function renderPage(page: TesterPage, basePath: string): string {
  const { title, styles = [], scripts = [], main } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${["/style.css", ...styles].map((href) => html`<link rel="stylesheet" href="${href}">\n`)}${scripts.map(
  (src) => html`<script src="${src}" defer></script>\n`,
)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site"><nav aria-label="Pages"><ul>
${places.map((place) => link(page, place))}</ul></nav></header>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.text.replaceAll(pathAttribute, ` $1="${basePath}/`);
}
