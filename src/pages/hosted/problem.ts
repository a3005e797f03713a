/** What went wrong, in words for the person at the page, and below them the API's own for the tester. */
import type { ErrorCode } from "../../contract/errors.js";
import { type Html, html } from "../html.js";
import { icons } from "./icons.js";
import type { HostedPage } from "./page.js";

/** A refusal as the API would answer it. */
export interface Problem {
  status: number;
  code: ErrorCode;
  message: string;
  headers: Readonly<Record<string, string>>;
}

export interface Saying {
  title: string;
  advice: string;
}

const again: Saying = {
  title: "That did not work just now",
  advice: "Nothing was changed. Please try again in a moment.",
};

const sayings: Partial<Record<ErrorCode, Saying>> = {
  resource_not_found: {
    title: "This link leads nowhere",
    advice: "Check that you copied all of it, or ask whoever sent it for another.",
  },
  link_expired: { title: "This link has expired", advice: "Ask whoever sent it for a new one." },
  invalid_state: { title: "This is done already", advice: "Nothing more is taken, and nothing was changed." },
  forbidden_origin: {
    title: "Another site sent this form",
    advice: "Nothing was changed. Open the link that you were given and use the form there.",
  },
  method_not_allowed: { title: "That cannot be done here", advice: "Open the link in your browser." },
  file_too_large: { title: "That file is too large", advice: "A photo at a lower resolution will do." },
  unsupported_media_type: {
    title: "That file cannot be used",
    advice: "Send a photo (PNG, JPEG or WebP) or a PDF.",
  },
  missing_field: { title: "Something is missing", advice: "Fill in what is asked for, and send it again." },
  validation_error: { title: "That could not be understood", advice: "Please check it and send it again." },
  rate_limited: { title: "That was a little too often", advice: "Please wait a minute and try again." },
};

const sayingOf = ({ code }: Problem): Saying => sayings[code] ?? again;

const forTester = ({ status, code, message }: Problem): Html =>
  html`<p class="aside">For the tester: <code>${status} ${code}</code> ${message}</p>`;

/** Focused when the page opens: what went wrong is read first. `saying` where the page knows better words. */
export const renderProblem = (problem: Problem, saying: Saying = sayingOf(problem), more = html``): Html =>
  renderAlert(saying, html`${more}${forTester(problem)}`);

/** The same for what the API has no error for. */
export const renderAlert = (
  { title, advice }: Saying,
  more: Html,
): Html => html`<div class="card problem" role="alert" tabindex="-1" id="problem" autofocus>
<h2>${icons.alert} ${title}</h2>
<p>${advice}</p>
${more}
</div>`;

/** A page of its own, where there is nothing else to show. */
export function problemPage(problem: Problem, { title, advice }: Saying = sayingOf(problem)): HostedPage {
  return {
    title,
    body: html`<section class="card hero over">
<p class="state">${icons.alert} A problem</p>
<h1>${title}</h1>
<p>${advice}</p>
${forTester(problem)}
</section>`,
  };
}
