/**
 * Problems of hosted pages, in words for the person and with the error of the API for testers. Refuses forms of other sites,
 * unreadable forms and other methods.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import type { ErrorCode } from "../../contract/errors.js";
import { type Html, html } from "../../documents/html.js";
import { contentSecurityPolicy } from "../content-security.js";
import { type HostedPage, icons, sendHosted } from "./page.js";

/** An error as the API would answer it. */
export interface PageProblem {
  status: number;
  code: ErrorCode;
  message: string;
  headers: Readonly<Record<string, string>>;
}

export interface ProblemText {
  title: string;
  advice: string;
}

const defaultText: ProblemText = {
  title: "Something went wrong",
  advice: "Nothing was changed. Please try again in a moment.",
};

const texts: Partial<Record<ErrorCode, ProblemText>> = {
  resource_not_found: {
    title: "This link does not work",
    advice: "Check that you copied the whole link, or ask the sender for a new one.",
  },
  link_expired: { title: "This link has expired", advice: "Ask the sender for a new one." },
  invalid_state: { title: "This is already done", advice: "Nothing was changed." },
  forbidden_origin: {
    title: "Another site sent this form",
    advice: "Nothing was changed. Open the link that you were given and use the form there.",
  },
  method_not_allowed: { title: "This page cannot do that", advice: "Open the link in your browser." },
  file_too_large: { title: "The file is too large", advice: "Try a photo with a lower resolution." },
  unsupported_media_type: {
    title: "This type of file is not supported",
    advice: "Upload a photo (PNG, JPEG or WebP) or a PDF.",
  },
  missing_field: { title: "Something is missing", advice: "Fill in the form and send it again." },
  validation_error: { title: "Something is not valid", advice: "Please check the form and send it again." },
  rate_limited: { title: "Too many attempts", advice: "Please wait a minute and try again." },
};

const textOf = ({ code }: PageProblem): ProblemText => texts[code] ?? defaultText;

const renderError = ({ status, code, message }: PageProblem): Html =>
  html`<p class="aside">For testers: <code>${status} ${code}</code> ${message}</p>`;

/** Renders a problem above a form. It has the focus when the page opens, so that it is read first. */
export const renderProblem = (
  problem: PageProblem,
  text: ProblemText = textOf(problem),
  more = html``,
): Html => renderAlert(text, html`${more}${renderError(problem)}`);

/** Renders a problem that is not an error of the API. */
export const renderAlert = (
  { title, advice }: ProblemText,
  more: Html,
): Html => html`<div class="card notice bad" role="alert" tabindex="-1" id="problem" autofocus>
<h2>${icons.alert} ${title}</h2>
<p>${advice}</p>
${more}
</div>`;

/** Returns a page that shows nothing but the problem. */
function problemPage(problem: PageProblem, { title, advice }: ProblemText = textOf(problem)): HostedPage {
  return {
    title,
    body: html`<section class="card hero over">
<p class="state">${icons.alert} Problem</p>
<h1>${title}</h1>
<p>${advice}</p>
${renderError(problem)}
</section>`,
  };
}

export function sendProblem(response: Response, problem: PageProblem, text?: ProblemText): void {
  response.set(problem.headers);
  sendHosted(response, problem.status, problemPage(problem, text));
}

/** Problem of an unknown link. It is the same for unknown accounts and records, so that guesses reveal nothing. */
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

/** Headers of hosted pages: their own content security policy, no caching, and permission for the location only. */
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
