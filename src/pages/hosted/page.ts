/** Layout, icons and formats of the pages that a person or customer opens: /confirm/{account}/{id} and /pay/{account}/{reference}. */
import type { Response } from "express";
import { type Kobo, toNaira } from "../../contract/money.js";
import { type Html, html } from "../../documents/html.js";

export interface HostedPage {
  /** Begins with the state, which screen readers and tabs then show first. */
  title: string;
  /** File names of scripts. */
  scripts?: readonly string[];
  body: Html;
}

/** Path from a hosted page to the root. It is relative for proxies that serve the sandbox below a path. */
const root = "../../";

const renderHosted = ({ title, scripts = [], body }: HostedPage): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Standin sandbox</title>
<link rel="icon" href="${root}mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}pages.css">
${scripts.map((name) => html`<script src="${root}${name}" defer></script>\n`)}</head>
<body class="hosted">
<header class="site"><span class="brand"><img src="${root}mark.svg" alt="" width="32" height="32">Standin sandbox</span><span class="tag over">Test page</span></header>
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

/** Logo: a person and the outline of a stand-in. */
export const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0b6e4f"/><circle cx="20" cy="16" r="6.4" fill="none" stroke="#fff" stroke-width="2" stroke-dasharray="3 1.47"/><circle cx="12" cy="16" r="8.2" fill="#0b6e4f"/><circle cx="12" cy="16" r="6.4" fill="#fff"/></svg>
`;

const icon = (shape: Html): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${shape}</svg>`;

export const icons = {
  check: icon(html`<path d="M5 12.5l4.5 4.5L19 7.5"/>`),
  cross: icon(html`<path d="M7 7l10 10M17 7L7 17"/>`),
  half: icon(html`<path d="M6 12h12"/>`),
  none: icon(html`<circle cx="12" cy="12" r="1.6" fill="currentColor"/>`),
  clock: icon(html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),
  eye: icon(
    html`<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="2.8"/>`,
  ),
  pin: icon(
    html`<path d="M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21z"/><circle cx="12" cy="9.5" r="2.6"/>`,
  ),
  bill: icon(html`<path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5"/>`),
  card: icon(html`<rect x="2.8" y="5.5" width="18.4" height="13" rx="2.5"/><path d="M3 10h18M6.5 14.5h4"/>`),
  bank: icon(html`<path d="M3 9.5L12 4l9 5.5zM5 20h14M6.5 10v7M12 10v7M17.5 10v7"/>`),
  back: icon(html`<path d="M9 5.5L4.5 10 9 14.5M5 10h9a5.5 5.5 0 0 1 0 9h-3"/>`),
  flask: icon(
    html`<path d="M9.5 3.5h5M10.5 3.5v6L5.2 18.3a1.6 1.6 0 0 0 1.4 2.4h10.8a1.6 1.6 0 0 0 1.4-2.4L13.5 9.5v-6M8 15h8"/>`,
  ),
  alert: icon(html`<path d="M12 4L2.8 20h18.4zM12 10v4.5M12 17.3v.1"/>`),
} as const;

const lagosTime = new Intl.DateTimeFormat("en-NG", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Africa/Lagos",
});

/** Formats a time as `Thu, 4 Mar 2027, 09:30 WAT`. */
export const formatLagosTime = (at: number): string => `${lagosTime.format(at)} WAT`;

/** Formats a distance as `200 m` or `5.0 km`. */
export const formatDistance = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(metres < 100_000 ? 1 : 0)} km`;

/** Formats an amount as `₦12,345.50`. */
export const formatNairaAmount = (amount: Kobo): string =>
  `₦${toNaira(amount).toLocaleString("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
