/** Reads the URL-encoded forms of hosted pages. Errors never repeat their content: it may be a real card number. */
import express, { type RequestHandler } from "express";
import { sendProblem } from "./errors.js";
import type { PageProblem } from "./problem.js";

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
