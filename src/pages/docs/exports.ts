/** Renders /docs/exports: the contract in the forms of other tools, to download. */
import { type ExportKind, exportKinds } from "../../documents/export/kinds.js";
import { html } from "../../documents/html.js";
import type { DocsPage } from "./layout.js";

const filesOf = ({ file, beside }: ExportKind): string[] => [file, ...(beside ? [beside.file] : [])];

export const exportsPage = (): DocsPage => ({
  title: "Exports · Standin",
  path: "/docs/exports",
  main: html`<h1>Exports</h1>
<p>The contract and the scenarios for tools that you have. The collections have a call of each operation, with the address of this sandbox and the test key. In
order, all of them succeed on a fresh account. Their files are those of <code>fixtures/files</code> in the package.</p>
<ul>
${Object.values(exportKinds).map(
  (kind) => html`<li>${kind.title}: ${filesOf(kind).map(
    (file, index) => html`${index > 0 ? " and " : ""}<a href="/docs/exports/${file}" download>${file}</a>`,
  )}</li>
`,
)}</ul>
<p><code>standin export</code> writes the same files without a running sandbox.</p>`,
});
