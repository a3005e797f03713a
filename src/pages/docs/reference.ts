/** /docs and /docs/control: a contract as pages to read and to try out, drawn in the browser by swagger-ui. */
import { type Html, html } from "../html.js";
import type { TesterPage } from "./frame.js";

interface Contract {
  path: string;
  name: string;
  title: string;
  /** Where the document is. */
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

const choice = (one: Contract, shown: Contract): Html =>
  html`<li><a href="${one.path}"${one === shown ? html` aria-current="page"` : html``}>${one.name}</a></li>\n`;

const frame = ({ path, title }: Contract, main: Html): TesterPage => ({ title, path, within: "/docs", main });

export function referencePage(contract: Contract, testKey: string): TesterPage {
  const main = html`<h1>API reference</h1>
<nav class="contents" aria-label="Contracts"><ul>
${contracts.map((one) => choice(one, contract))}</ul></nav>
<p>Every call goes to this sandbox; the test key <code>${testKey}</code> is filled in. The document itself:
<a href="${contract.document}">${contract.document}</a>.</p>
<noscript><p>The reference needs JavaScript; the document, the <a href="/docs/values">test values</a> and the
<a href="/docs/assumptions">assumptions</a> do not.</p></noscript>
<h2>${contract.name}</h2>
<p id="reference-says" role="status"></p>
<div id="reference" data-base="/" data-document="${contract.document}" data-key="${testKey}"></div>`;
  return {
    ...frame(contract, main),
    styles: ["/docs/swagger-ui.css", "/reference.css"],
    scripts: ["/docs/swagger-ui-bundle.js", "/reference.js"],
  };
}

/** In place of the page while swagger-ui is not there: the sandbox runs from its sources. */
export const missingPage = (contract: Contract): TesterPage =>
  frame(
    contract,
    html`<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> in Standin's folder, and open this page again.</p>
<p>The document itself is at <a href="${contract.document}">${contract.document}</a>.</p>`,
  );
