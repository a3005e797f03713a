/** Routes of the hosted pages, which links open: GET shows a page, POST submits its form and leads back to it. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { Account } from "../../world/account/account.js";
import { type HostedPage, sendHosted } from "./page.js";
import {
  hostedErrors,
  hostedHeaders,
  type PageProblem,
  refuseCrossSite,
  refuseOtherMethods,
  sendProblem,
  unknownLink,
} from "./problem.js";

/** Subject of a link. */
interface Subject {
  account: Account;
  /** Last segment of the path. */
  id: string;
}

export interface HostedRoute<Found extends Subject, Refused extends PageProblem> {
  /** First segment of the path. */
  root: string;
  /** Parameters after the first segment. */
  params: string;
  /** Reads the form before `submit`. Omitted if `submit` reads it. */
  readForm?: RequestHandler;
  find(request: Request): Promise<Found | null>;
  /** Renders the page. `status` applies if nothing was refused; default 200. */
  render(found: Found, request: Request, refused: Refused | null): { page: HostedPage; status?: number };
  /** Submits the form, and returns why it was refused or null. */
  submit(found: Found, request: Request, response: Response): Promise<Refused | null>;
  /** Returns an error as the API would answer it. */
  explain(error: unknown): PageProblem;
}

export function hostedRoutes<Found extends Subject, Refused extends PageProblem>(
  route: HostedRoute<Found, Refused>,
): Router {
  const show = async (request: Request, response: Response, refused: Refused | null): Promise<void> => {
    const found = await route.find(request);
    if (!found) return sendProblem(response, unknownLink);
    const { page, status = 200 } = route.render(found, request, refused);
    // The state that the page shows must be stored, and this replica must still own the account.
    await found.account.safe();
    response.set(refused?.headers ?? {});
    sendHosted(response, refused?.status ?? status, page);
  };
  const submit = async (request: Request, response: Response): Promise<void> => {
    const found = await route.find(request);
    if (!found) return sendProblem(response, unknownLink);
    const refused = await route.submit(found, request, response);
    // The client may have closed the connection while it sent the form.
    if (request.destroyed && !request.complete) return;
    if (refused) return show(request, response, refused);
    response.redirect(303, `./${encodeURIComponent(found.id)}`);
  };
  // Strict: below a path with a trailing slash, the relative links would be wrong.
  const router = Router({ strict: true });
  router.use(route.root, ...hostedHeaders);
  router
    .route(route.root + route.params)
    .get((request, response) => show(request, response, null))
    .post(refuseCrossSite, ...(route.readForm ? [route.readForm] : []), submit)
    .all(refuseOtherMethods("GET, HEAD, POST"));
  router.use(hostedErrors(route.explain));
  return router;
}
