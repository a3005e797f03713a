/** Layout of the start page, the sign-in and the exports. */
import { type Html, html } from "../../documents/html.js";

const pages = [
  ["/", "Dashboard"],
  ["/start", "Start"],
  ["/docs", "API reference"],
  ["/docs/assumptions", "Assumptions"],
  ["/docs/exports", "Exports"],
] as const;

export interface DocsPage {
  title: string;
  path: string;
  main: Html;
}

const renderLink = (path: string, [href, text]: (typeof pages)[number]): Html =>
  html`<li><a href="${href}"${href === path ? html` aria-current="page"` : html``}>${text}</a></li>\n`;

/** Matches attributes with a path from the root. `html` escapes quotes in texts, so it matches no text. */
const pathAttribute = / (href|src|action)="\//g;

/** Renders a page. Its links are below `basePath`, the path that the sandbox is served under, which is empty for the root. */
export function renderDocsPage(page: DocsPage, basePath: string): string {
  const { title, path, main } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pages.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site"><span class="brand"><img src="/mark.svg" alt="" width="26" height="26">Standin</span><nav aria-label="Pages"><ul>
${pages.map((target) => renderLink(path, target))}</ul></nav></header>
<main class="docs" id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.text.replaceAll(pathAttribute, ` $1="${basePath}/`);
}
