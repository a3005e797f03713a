/** How the routes of hosted pages refuse: with a page, and the status that the API would give. */
import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import { fromAnotherSite } from "./guard.js";
import { sendHosted } from "./page.js";
import { type Problem, problemPage, type Saying } from "./problem.js";

export function sendProblem(response: Response, problem: Problem, saying?: Saying): void {
  response.set(problem.headers);
  sendHosted(response, problem.status, problemPage(problem, saying));
}

/** Of an account that nobody uses as of a record that is not there: whoever guesses learns nothing. */
export const leadsNowhere: Problem = {
  status: 404,
  code: "resource_not_found",
  message: "No account has a record of this path.",
  headers: {},
};

export const refuseOtherSites: RequestHandler = (request, response, next) => {
  if (!fromAnotherSite(request)) return next();
  const message = "The form's Origin or Sec-Fetch-Site names another site than this page's.";
  sendProblem(response, { status: 403, code: "forbidden_origin", message, headers: {} });
};

export const refuseOtherMethods =
  (allow: string): RequestHandler =>
  ({ method }, response) => {
    const message = `The page takes ${allow}, not ${method}.`;
    sendProblem(response, { status: 405, code: "method_not_allowed", message, headers: { Allow: allow } });
  };

export const hostedErrors =
  (explain: (error: unknown) => Problem): ErrorRequestHandler =>
  (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    // A path that cannot be decoded.
    sendProblem(response, error instanceof URIError ? leadsNowhere : explain(error));
  };
