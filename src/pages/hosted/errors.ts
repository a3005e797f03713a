/** Answers requests that hosted pages refuse: with a page, and the status that the API would use. */
import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import { sendHosted } from "./page.js";
import { type PageProblem, type ProblemText, problemPage } from "./problem.js";
import { isCrossSite } from "./security.js";

export function sendProblem(response: Response, problem: PageProblem, text?: ProblemText): void {
  response.set(problem.headers);
  sendHosted(response, problem.status, problemPage(problem, text));
}

/** The same for an unknown account as for an unknown record, so that guesses reveal nothing. */
export const unknownLink: PageProblem = {
  status: 404,
  code: "resource_not_found",
  message: "There is no record with this path.",
  headers: {},
};

export const refuseCrossSite: RequestHandler = (request, response, next) => {
  if (!isCrossSite(request)) return next();
  const message = "The Origin or Sec-Fetch-Site header of the form names another site.";
  sendProblem(response, { status: 403, code: "forbidden_origin", message, headers: {} });
};

export const refuseOtherMethods =
  (allow: string): RequestHandler =>
  ({ method }, response) => {
    const message = `The page accepts ${allow}; got ${method}.`;
    sendProblem(response, { status: 405, code: "method_not_allowed", message, headers: { Allow: allow } });
  };

export const hostedErrors =
  (explain: (error: unknown) => PageProblem): ErrorRequestHandler =>
  (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    // A URIError is a path that cannot be decoded.
    sendProblem(response, error instanceof URIError ? unknownLink : explain(error));
  };
