/** Refusals of hosted pages, with a page and the status that the API would use: forms of other sites, unreadable forms, other methods. */
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import { contentSecurityPolicy } from "../content-security.js";
import { sendHosted } from "./page.js";
import { type PageProblem, type ProblemText, problemPage } from "./problem.js";

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

const securityPolicy = contentSecurityPolicy({ formAction: ["'self'"] });

/** Replaces the policy of the start page, disables caching, and permits nothing but the location. */
export const hostedHeaders: readonly RequestHandler[] = [
  securityPolicy,
  (_request, response, next) => {
    response.set({
      "Cache-Control": "no-store",
      "Permissions-Policy": "geolocation=(self), camera=(), microphone=(), payment=()",
      "X-Frame-Options": "DENY",
    });
    next();
  },
];

/**
 * Checks whether a page of another site sent a form. Browsers say so in Sec-Fetch-Site, which no page can set. Over
 * plain HTTP beyond localhost (a phone that opens a page on the developer's machine) they omit it, and because of
 * Referrer-Policy their Origin is "null". Such forms are accepted: their path is already a secret.
 */
function isCrossSite({ headers }: Request): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  if (origin === undefined || origin === "null") return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}

/** Limits far above what the forms of the pages send. */
const parse = express.urlencoded({ extended: false, inflate: false, limit: "16kb", parameterLimit: 20 });

const refusals: Readonly<Record<number, Pick<PageProblem, "code" | "message">>> = {
  413: { code: "body_too_large", message: "A form may have at most 16 KB and 20 fields." },
  415: {
    code: "unsupported_media_type",
    message: "The body must be application/x-www-form-urlencoded, in UTF-8 and uncompressed.",
  },
};
const unreadable = { code: "validation_error", message: "The form cannot be read." } as const;

/** Shown for forms that the page itself cannot have sent. */
const text = {
  title: "This form could not be read",
  advice: "Nothing was changed. Open the link in your browser and use the form there.",
};

export const readHostedForm: RequestHandler = (request, response, next) => {
  const refuse = (status: number) =>
    sendProblem(response, { status, headers: {}, ...(refusals[status] ?? unreadable) }, text);
  parse(request, response, (error?: { status?: number }) => {
    // The client has closed the connection.
    if (request.destroyed && !request.complete) return;
    if (error) return refuse(error.status ?? 400);
    if (request.body === undefined) return refuse(415);
    next();
  });
};
