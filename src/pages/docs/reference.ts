/** Renders /docs and /docs/control, where swagger-ui shows an OpenAPI document in the browser. */
import { type Html, html } from "../html.js";
import type { DocsPage } from "./layout.js";

interface Contract {
  path: string;
  name: string;
  title: string;
  /** Path of the OpenAPI document. */
  document: string;
}

export const contracts = [
  { path: "/docs", name: "The service", title: "API reference · Standin", document: "/openapi.json" },
  {
    path: "/docs/control",
    name: "The control API",
    title: "Control API reference · Standin",
    document: "/_sandbox/openapi.json",
  },
] as const satisfies readonly Contract[];

const renderLink = (one: Contract, shown: Contract): Html =>
  html`<li><a href="${one.path}"${one === shown ? html` aria-current="page"` : html``}>${one.name}</a></li>\n`;

const toPage = ({ path, title }: Contract, main: Html): DocsPage => ({ title, path, within: "/docs", main });

export function referencePage(contract: Contract, testKey: string): DocsPage {
  const main = html`<h1>API reference</h1>
<nav class="contents" aria-label="Contracts"><ul>
${contracts.map((one) => renderLink(one, contract))}</ul></nav>
<p>All calls go to this sandbox; the test key <code>${testKey}</code> is filled in. OpenAPI document:
<a href="${contract.document}">${contract.document}</a>.</p>
<noscript><p>The reference needs JavaScript; the document, the <a href="/docs/values">test values</a> and the
<a href="/docs/assumptions">assumptions</a> do not.</p></noscript>
<h2>${contract.name}</h2>
<p id="reference-status" role="status"></p>
<div id="reference" data-base="/" data-document="${contract.document}" data-key="${testKey}"></div>`;
  return {
    ...toPage(contract, main),
    styles: ["/docs/swagger-ui.css", "/reference.css"],
    scripts: ["/docs/swagger-ui-bundle.js", "/reference.js"],
  };
}

/** Returns the page that is shown if swagger-ui is missing, because the sandbox runs from unbuilt sources. */
export const notBuiltPage = (contract: Contract): DocsPage =>
  toPage(
    contract,
    html`<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> in Standin's folder, and open this page again.</p>
<p>The OpenAPI document is at <a href="${contract.document}">${contract.document}</a>.</p>`,
  );
