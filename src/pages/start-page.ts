import { renderPage } from "./docs/frame.js";
import { html } from "./html.js";

export interface StartPage {
  version: string;
  baseUrl: string;
  testKey: string;
  liveKey: string;
  /** A first call, as the first screen prints it. */
  curl: string;
}

const links = [
  ["/docs", "the API reference: read it, and try every operation out"],
  ["/docs/values", "test values, and the outcomes that they ask for"],
  ["/docs/assumptions", "what the interface leaves open, what happens here, and how to switch it"],
  ["/openapi.json", "the service's contract, OpenAPI 3.1"],
  ["/_sandbox/openapi.json", "the control API's contract"],
  ["/_sandbox/inbox", "messages that were sent to people, with their codes"],
  ["/_sandbox/requests", "the last requests"],
  ["/_sandbox/deliveries", "webhook deliveries, every attempt"],
] as const;

export function renderStartPage(page: StartPage, basePath: string): string {
  const { version, baseUrl, testKey, liveKey, curl } = page;
  const main = html`<h1>Standin</h1>
<p>The sandbox is running, version ${version}. Nothing here costs money or reaches a real phone.</p>
<dl>
<dt>Base URL</dt><dd><code>${baseUrl}</code></dd>
<dt>Test key</dt><dd><code>${testKey}</code></dd>
<dt>Live key</dt><dd><code>${liveKey}</code></dd>
</dl>
<p>Any other key of 8 to 128 characters opens a world of its own.</p>
<h2>A first call</h2>
<pre><code>${curl}</code></pre>
<p>The code is in the <a href="/_sandbox/inbox">inbox</a>.</p>
<h2>Where to look</h2>
<ul>
${links.map(([href, text]) => html`<li><a href="${href}">${href}</a>: ${text}</li>\n`)}</ul>`;
  return renderPage({ title: "Standin", path: "/", main }, basePath);
}
