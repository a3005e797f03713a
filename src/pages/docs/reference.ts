/** Renders /docs and /docs/control: the operations of an OpenAPI document, each of which can be opened and tried out. */

import { controlPath } from "../../contract/control-routes.js";
import type { AnyOperation } from "../../contract/operation.js";
import { serviceTags, type Tag } from "../../documents/openapi/tags.js";
import { type Html, html } from "../html.js";
import type { DocsPage } from "./layout.js";
import { eventSection, renderOperationList, sectionsOf } from "./operation-list.js";

interface Contract {
  path: string;
  name: string;
  title: string;
  /** Path of the OpenAPI document. */
  document: string;
  tags: readonly Tag[];
}

export const contracts = {
  service: {
    path: "/docs",
    name: "The service",
    title: "API reference · Standin",
    document: controlPath("getServiceContract"),
    tags: serviceTags,
  },
  control: {
    path: "/docs/control",
    name: "The control API",
    title: "Control API reference · Standin",
    document: controlPath("getControlContract"),
    tags: [],
  },
} as const satisfies Record<string, Contract>;
export type ContractName = keyof typeof contracts;

const renderLink = (one: Contract, shown: Contract): Html =>
  html`<li><a href="${one.path}"${one === shown ? html` aria-current="page"` : html``}>${one.name}</a></li>\n`;

const toPage = ({ path, title }: Contract, main: Html): DocsPage => ({ title, path, within: "/docs", main });

export function referencePage(
  of: ContractName,
  operations: readonly AnyOperation[],
  testKey: string,
): DocsPage {
  const contract = contracts[of];
  const sections = sectionsOf(operations, contract.tags);
  const main = html`<h1>API reference</h1>
<nav class="contents" aria-label="Contracts"><ul>
${Object.values(contracts).map((one) => renderLink(one, contract))}</ul></nav>
<p>Open an operation to try it out. All calls go to this sandbox. OpenAPI document:
<a href="${contract.document}">${contract.document}</a>.</p>
<noscript><p>Trying out operations needs JavaScript; this list, the document, the <a href="/docs/values">test values</a> and the
<a href="/docs/assumptions">assumptions</a> do not.</p></noscript>
<div id="reference" data-base="/" data-document="${contract.document}" data-key="${testKey}">
${renderOperationList(of === "service" ? [...sections, eventSection()] : sections)}</div>`;
  return { ...toPage(contract, main), styles: ["/reference.css"], scripts: ["/reference.js"] };
}

/** Returns the page that is shown if swagger-ui is missing, because the sandbox runs from unbuilt sources. */
export const notBuiltPage = (of: ContractName): DocsPage =>
  toPage(
    contracts[of],
    html`<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> in Standin's folder, and open this page again.</p>
<p>The OpenAPI document is at <a href="${contracts[of].document}">${contracts[of].document}</a>.</p>`,
  );
