/** Renders problems: in words for the person on the page, and with the error of the API for testers. */
import type { ErrorCode } from "../../contract/errors.js";
import { type Html, html } from "../../documents/html.js";
import { type HostedPage, icons } from "./page.js";

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
export function problemPage(
  problem: PageProblem,
  { title, advice }: ProblemText = textOf(problem),
): HostedPage {
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
