/** GET /docs, /docs/control, /docs/values, /docs/assumptions, and the files that draw the first two. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import helmet from "helmet";
import { assumptionsPage, type InForce } from "./assumptions.js";
import { fileNames, filesAreThere, readDocsFile } from "./files.js";
import { renderPage, type TesterPage } from "./frame.js";
import { contracts, missingPage, referencePage } from "./reference.js";
import { type OutcomeSource, valuesPage } from "./values.js";

export interface DocsOptions {
  /** Throws a Refusal where the tester's pages may not be shown. */
  guard(request: Request): void;
  docs: OutcomeSource & { readonly testKey: string; readonly assumptions: InForce };
}

/** swagger-ui draws its arrows from data: URLs, and shows the pictures of replies from blob: ones. */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", "data:", "blob:"],
    connectSrc: ["'self'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
});

const sendFile =
  (name: string): RequestHandler =>
  async (_request, response, next) => {
    const file = await readDocsFile(name);
    if (!file) return next();
    // Asked for again each time, and answered with 304 until the sandbox has another version of it.
    response.set({ "Cache-Control": "no-cache", ETag: file.etag }).type(name).send(file.content);
  };

export function docsRoutes({ guard, docs }: DocsOptions): Router {
  const router = Router();
  const guarded: RequestHandler = (request, _response, next) => {
    guard(request);
    next();
  };
  const send = (response: Response, page: TesterPage) =>
    response.type("html").send(renderPage(page, response.req.context.basePath));
  for (const contract of contracts) {
    router.get(contract.path, guarded, policy, async (_request, response) => {
      if (await filesAreThere()) send(response, referencePage(contract, docs.testKey));
      else send(response.status(503), missingPage(contract));
    });
  }
  router.get("/docs/values", guarded, (_request, response) => void send(response, valuesPage(docs)));
  router.get(
    "/docs/assumptions",
    guarded,
    (_request, response) => void send(response, assumptionsPage(docs.assumptions)),
  );
  for (const name of fileNames) router.get(`/docs/${name}`, sendFile(name));
  return router;
}
