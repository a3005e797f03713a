/** Reads the plain forms of hosted pages. What they hold is told to nobody: it may be a real card's number. */
import express, { type RequestHandler } from "express";
import { sendProblem } from "./errors.js";
import type { Problem } from "./problem.js";

/** The forms of our own pages come nowhere near. */
const read = express.urlencoded({ extended: false, inflate: false, limit: "16kb", parameterLimit: 20 });

const refusals: Readonly<Record<number, Pick<Problem, "code" | "message">>> = {
  413: { code: "body_too_large", message: "The form may have at most 16 KB and 20 fields." },
  415: {
    code: "unsupported_media_type",
    message: "The body must be application/x-www-form-urlencoded, in UTF-8 and uncompressed.",
  },
};
const unreadable = { code: "validation_error", message: "The form cannot be read." } as const;

/** Whoever sends another form than the page's did not use the page. */
const saying = {
  title: "That could not be understood",
  advice: "Nothing was changed. Open the link in your browser and use the form there.",
};

export const readHostedForm: RequestHandler = (request, response, next) => {
  const refuse = (status: number) =>
    sendProblem(response, { status, headers: {}, ...(refusals[status] ?? unreadable) }, saying);
  read(request, response, (error?: { status?: number }) => {
    // Nobody is there any more to be told.
    if (request.destroyed && !request.complete) return;
    if (error) return refuse(error.status ?? 400);
    if (request.body === undefined) return refuse(415);
    next();
  });
};
