/** Routes of the docs. The API reference and the assumptions are screens of the dashboard. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { controlPath } from "../../contract/control-routes.js";
import type { AnyOperation } from "../../contract/operation.js";
import { html } from "../../documents/html.js";
import { formatLlms } from "../../documents/llms.js";
import { dashboardPolicy, findDashboardFiles, sendDashboard } from "../dashboard.js";
import { type DocsPage, renderDocsPage } from "./layout.js";

export interface DocsOptions {
  /** Throws a Refusal if the request may not see the page. */
  guard(request: Request): void;
  docs: {
    /** Operations of the service. */
    readonly operations: readonly AnyOperation[];
    readonly testKey: string;
    loadControlOperations(): Promise<readonly AnyOperation[]>;
  };
}

/** Addresses that open the dashboard, and the screen that each shows. */
const screens = [
  ["/docs", "reference"],
  ["/docs/control", "reference/control"],
  ["/docs/values", "reference"],
  ["/docs/assumptions", "assumptions"],
] as const;

/** Shown in place of the dashboard if the sandbox runs from unbuilt sources. */
const notBuilt = (path: string): DocsPage => ({
  title: "Docs · Standin",
  path,
  main: html`<h1>This page is not built</h1>
<p>Run <code>npm run build</code> in Standin's folder, and open this page again.</p>
<p>The OpenAPI documents are at <a href="${controlPath("getServiceContract")}">${controlPath("getServiceContract")}</a> and
<a href="${controlPath("getControlContract")}">${controlPath("getControlContract")}</a>.</p>`,
});

type ExportKinds = typeof import("../../documents/export/kinds.js")["exportKinds"];

/** Lists the contract in the forms of other tools, to download. */
const exportsPage = (kinds: ExportKinds): DocsPage => ({
  title: "Exports · Standin",
  path: "/docs/exports",
  main: html`<h1>Exports</h1>
<p>The contract and the scenarios for the tools that you use. The collection has a call of each operation, with the address of this sandbox and the test key. In
order, all of them succeed on a fresh account. The files that it uploads are in <code>fixtures/files</code> of the package. Bruno, Insomnia, Hoppscotch and JetBrains IDEs import the
collection, or the document at <a href="/openapi.json">/openapi.json</a>.</p>
<ul>
${Object.values(kinds).map(
  ({ title, file }) => html`<li>${title}: <a href="/docs/exports/${file}" download>${file}</a></li>
`,
)}</ul>
<p><code>standin export</code> writes the same files without a running sandbox.</p>`,
});

export function docsRoutes({ guard, docs }: DocsOptions): Router {
  const router = Router();
  const guarded: RequestHandler = (request, _response, next) => {
    guard(request);
    next();
  };
  const send = (response: Response, page: DocsPage) =>
    response.type("html").send(renderDocsPage(page, response.req.context.basePath));
  for (const [path, opens] of screens)
    router.get(path, guarded, dashboardPolicy, async (_request, response) => {
      const files = await findDashboardFiles();
      if (files) sendDashboard(response, { files, testKey: docs.testKey, opens });
      else send(response.status(503), notBuilt(path));
    });
  // The exports need the whole contract, and are loaded with the first request for one.
  const loadExports = () => import("../../documents/export/kinds.js");
  router.get("/docs/exports", guarded, async (_request, response) => {
    send(response, exportsPage((await loadExports()).exportKinds));
  });
  router.get("/docs/exports/:file", guarded, async (request, response, next) => {
    const { exportOfFile, formatExport } = await loadExports();
    const file = String(request.params.file);
    const kind = exportOfFile(file);
    if (kind === null) return next();
    response.type("json").send(await formatExport(kind, request.context.baseUrl));
  });
  router.get("/llms.txt", guarded, async (request, response) => {
    const { operations, testKey } = docs;
    const controlOperations = await docs.loadControlOperations();
    const { baseUrl } = request.context;
    response.type("text").send(formatLlms({ baseUrl, testKey, operations, controlOperations }));
  });
  return router;
}
