/** The start page, and its text for clients that are not browsers. */
import { controlPath } from "../contract/control-routes.js";
import { html } from "../documents/html.js";
import { renderDocsPage } from "./docs/layout.js";

export interface StartPage {
  version: string;
  baseUrl: string;
  testKey: string;
  liveKey: string;
  /** Example call, as on the first screen. */
  curl: string;
}

const links = [
  ["/docs", "API reference, where you can try out every operation, with its test values and outcomes"],
  ["/docs/assumptions", "what the interface leaves open, how the sandbox behaves, and how to switch it"],
  [controlPath("getServiceContract"), "OpenAPI 3.1 document of the service"],
  [controlPath("getControlContract"), "OpenAPI 3.1 document of the control API"],
  [controlPath("listActivity"), "what happened, and why"],
  [controlPath("listMessages"), "messages sent to people, with their codes"],
  [controlPath("listRequests"), "recent requests"],
  [controlPath("listDeliveries"), "webhook deliveries with every attempt"],
] as const;

export function renderStartPage(page: StartPage, basePath: string): string {
  const { version, baseUrl, testKey, liveKey, curl } = page;
  const main = html`<h1>Standin</h1>
<p>The sandbox is running (version ${version}). Nothing here costs money or reaches a real phone. The
<a href="/">dashboard</a> shows what happens, live.</p>
<dl>
<dt>Base URL</dt><dd><code>${baseUrl}</code></dd>
<dt>Test key</dt><dd><code>${testKey}</code></dd>
<dt>Live key</dt><dd><code>${liveKey}</code></dd>
</dl>
<p>Every other key of 8 to 128 characters opens its own account.</p>
<h2>First call</h2>
<pre><code>${curl}</code></pre>
<p>The code is in the <a href="/#/inbox">inbox</a>.</p>
<h2>Where to look</h2>
<ul>
${links.map(([href, text]) => html`<li><a href="${href}">${href}</a>: ${text}</li>\n`)}</ul>`;
  return renderDocsPage({ title: "Start · Standin", path: "/start", main }, basePath);
}

export function formatStartText({ version, baseUrl, testKey, liveKey, curl }: StartPage): string {
  return `Standin ${version} is running. Nothing here costs money or reaches a real phone.

  Base URL   ${baseUrl}
  Test key   ${testKey}
  Live key   ${liveKey}

Try it:
  ${curl}

Where to look (open ${baseUrl}/ in a browser for the dashboard):
${links.map(([path, text]) => `  ${path.padEnd(24)}${text}\n`).join("")}`;
}
