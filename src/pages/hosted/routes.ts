/** What the pages have in common that are opened by a link: GET shows, POST submits, whoever comes from elsewhere is refused. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { hostedErrors, refuseOtherMethods, refuseOtherSites } from "./errors.js";
import { hostedHeaders } from "./guard.js";
import type { Problem } from "./problem.js";

export interface HostedPages {
  show(request: Request, response: Response): Promise<void>;
  submit(request: Request, response: Response): Promise<void>;
}

export interface HostedRoute {
  /** The first segment of the path. */
  root: string;
  /** Parameters below it. */
  below: string;
  pages: HostedPages;
  /** Reads the form, where the pages do not. */
  readForm?: RequestHandler;
  /** What was thrown, as the API would answer it. */
  explain(error: unknown): Problem;
}

export function hostedRoutes({ root, below, pages, readForm, explain }: HostedRoute): Router {
  // With a slash at its end the page's relative links would lead elsewhere.
  const router = Router({ strict: true });
  router.use(root, ...hostedHeaders);
  router
    .route(root + below)
    .get((request, response) => pages.show(request, response))
    .post(refuseOtherSites, ...(readForm ? [readForm] : []), (request, response) =>
      pages.submit(request, response),
    )
    .all(refuseOtherMethods("GET, HEAD, POST"));
  router.use(hostedErrors(explain));
  return router;
}
