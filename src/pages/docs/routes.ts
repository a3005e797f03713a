/** Routes of the docs, and of the files that the API reference needs. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { FindValidation } from "../../contract/drift-lock.js";
import type { AnyOperation } from "../../contract/operation.js";
import { formatLlms } from "../../documents/llms.js";
import { contentSecurityPolicy } from "../content-security.js";
import { assumptionsPage, type InForce } from "./assumptions.js";
import { type DocsPage, renderDocsPage } from "./layout.js";
import { type ContractName, contracts, notBuiltPage, referencePage } from "./reference.js";
import { hasSwaggerFiles, readSwaggerFile, swaggerFiles } from "./swagger-files.js";
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

/** Allows data: and blob: URLs for the icons of swagger-ui and the pictures in replies. */
const securityPolicy = contentSecurityPolicy({
  imgSrc: ["'self'", "data:", "blob:"],
  connectSrc: ["'self'"],
});

const sendFile =
  (name: string): RequestHandler =>
  async (_request, response, next) => {
    const file = await readSwaggerFile(name);
    if (!file) return next();
    // Revalidated each time, since another version of the sandbox may have another file.
    response.set({ "Cache-Control": "no-cache", ETag: file.etag }).type(name).send(file.content);
  };

export function docsRoutes({ guard, docs }: DocsOptions): Router {
  const router = Router();
  const guarded: RequestHandler = (request, _response, next) => {
    guard(request);
    next();
  };
  const send = (response: Response, page: DocsPage) =>
    response.type("html").send(renderDocsPage(page, response.req.context.basePath));
  for (const name of Object.keys(contracts) as ContractName[]) {
    router.get(contracts[name].path, guarded, securityPolicy, async (_request, response) => {
      if (!(await hasSwaggerFiles())) return void send(response.status(503), notBuiltPage(name));
      const operations = name === "service" ? docs.operations : await docs.loadControlOperations();
      send(response, referencePage(name, operations, docs.testKey));
    });
  }
  router.get("/docs/values", guarded, (_request, response) => void send(response, testValuesPage(docs)));
  router.get("/docs/assumptions", guarded, async (_request, response) => {
    send(response, assumptionsPage(docs.assumptions, await docs.readValidations()));
  });
  router.get("/llms.txt", guarded, async (request, response) => {
    const { operations, testKey } = docs;
    const controlOperations = await docs.loadControlOperations();
    const { baseUrl } = request.context;
    response.type("text").send(formatLlms({ baseUrl, testKey, operations, controlOperations }));
  });
  for (const name of swaggerFiles) router.get(`/docs/${name}`, sendFile(name));
  return router;
}
