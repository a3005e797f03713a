/** A report as one page of HTML that needs nothing else, not even JavaScript. */
import { type Html, html } from "../../documents/html.js";

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
.picture { overflow-x: auto; } .picture svg { display: block; }
pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: 6px; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
`;

/** Formats a page with the content of its body. */
export const formatReportPage = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${content}</main>
</body>
</html>
`.text;
