/** Renders /docs/exports: the contract in the forms of other tools, to download. */
import { exportKinds } from "../../documents/export/kinds.js";
import { html } from "../../documents/html.js";
import type { DocsPage } from "./layout.js";

export const exportsPage = (): DocsPage => ({
  title: "Exports · Standin",
  path: "/docs/exports",
  main: html`<h1>Exports</h1>
<p>The contract and the scenarios for tools that you have. The collection has a call of each operation, with the address of this sandbox and the test key. In
order, all of them succeed on a fresh account. It uploads files of <code>fixtures/files</code> in the package. Bruno, Insomnia, Hoppscotch and JetBrains IDEs import the
collection, or the document at <a href="/openapi.json">/openapi.json</a>.</p>
<ul>
${Object.values(exportKinds).map(
  ({ title, file }) => html`<li>${title}: <a href="/docs/exports/${file}" download>${file}</a></li>
`,
)}</ul>
<p><code>standin export</code> writes the same files without a running sandbox.</p>`,
});
