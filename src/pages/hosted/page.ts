/** Layout of the pages that a person or customer opens: /confirm/{account}/{id} and /pay/{account}/{reference}. */
import type { Response } from "express";
import { type Html, html } from "../../documents/html.js";

export interface HostedPage {
  /** Begins with the state, which screen readers and tabs then show first. */
  title: string;
  /** File names of style sheets in addition to hosted.css. */
  styles?: readonly string[];
  /** File names of scripts. */
  scripts?: readonly string[];
  body: Html;
}

/** Path from a hosted page to the root. It is relative for proxies that serve the sandbox below a path. */
const root = "../../";

const renderHosted = ({ title, styles = [], scripts = [], body }: HostedPage): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Standin sandbox</title>
<link rel="icon" href="${root}mark.svg" type="image/svg+xml">
${["hosted.css", ...styles].map((name) => html`<link rel="stylesheet" href="${root}${name}">\n`)}
${scripts.map((name) => html`<script src="${root}${name}" defer></script>\n`)}</head>
<body>
<header class="top"><img src="${root}mark.svg" alt="" width="32" height="32"><span class="name">Standin sandbox</span><span class="tag">Test page</span></header>
<main>
${body}
</main>
<footer class="foot">
<p><strong>Nothing real happens here.</strong> This page belongs to a sandbox for testing software.</p>
</footer>
</body>
</html>
`.text;

export function sendHosted(response: Response, status: number, page: HostedPage): void {
  response.status(status).type("html").send(renderHosted(page));
}
