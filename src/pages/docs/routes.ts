/** Routes of the docs. The API reference is a screen of the dashboard. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { controlPath } from "../../contract/control-routes.js";
import type { FindValidation } from "../../contract/drift-lock.js";
import type { AnyOperation } from "../../contract/operation.js";
import { html } from "../../documents/html.js";
import { formatLlms } from "../../documents/llms.js";
import { dashboardPolicy, findDashboardFiles, sendDashboard } from "../dashboard.js";
import { assumptionsHtmlPage, type InForce } from "./assumptions.js";
import { type DocsPage, renderDocsPage } from "./layout.js";
import { type OutcomeSource, testValuesPage } from "./test-values.js";

export interface DocsOptions {
  /** Throws a Refusal if the request may not see the page. */
  guard(request: Request): void;
  docs: OutcomeSource & {
    readonly testKey: string;
    readonly assumptions: InForce;
    readValidations(): Promise<FindValidation>;
    loadControlOperations(): Promise<readonly AnyOperation[]>;
  };
}

/** Addresses of the API reference, and the contract that it opens with. */
const references = [
  ["/docs", "service"],
  ["/docs/control", "control"],
] as const;

/** Shown in place of the reference if the sandbox runs from unbuilt sources. */
const notBuilt = (path: string): DocsPage => ({
  title: "API reference · Standin",
  path,
  main: html`<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> in Standin's folder, and open this page again.</p>
<p>The OpenAPI documents are at <a href="${controlPath("getServiceContract")}">${controlPath("getServiceContract")}</a> and
<a href="${controlPath("getControlContract")}">${controlPath("getControlContract")}</a>.</p>`,
});

export function docsRoutes({ guard, docs }: DocsOptions): Router {
  const router = Router();
  const guarded: RequestHandler = (request, _response, next) => {
    guard(request);
    next();
  };
  const send = (response: Response, page: DocsPage) =>
    response.type("html").send(renderDocsPage(page, response.req.context.basePath));
  for (const [path, reference] of references)
    router.get(path, guarded, dashboardPolicy, async (_request, response) => {
      const files = await findDashboardFiles();
      if (files) sendDashboard(response, { files, testKey: docs.testKey, reference });
      else send(response.status(503), notBuilt(path));
    });
  router.get("/docs/values", guarded, (_request, response) => void send(response, testValuesPage(docs)));
  router.get("/docs/assumptions", guarded, async (_request, response) => {
    send(response, assumptionsHtmlPage(docs.assumptions, await docs.readValidations()));
  });
  // Loaded when they are asked for: they need the whole contract.
  router.get("/docs/exports", guarded, async (_request, response) => {
    const { exportsPage } = await import("./exports.js");
    send(response, exportsPage());
  });
  router.get("/docs/exports/:file", guarded, async (request, response, next) => {
    const { exportOfFile, formatExport } = await import("../../documents/export/kinds.js");
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
