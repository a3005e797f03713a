/** Lets pages of allowed origins call the sandbox from a browser. */
import type { RequestHandler } from "express";
import { Refusal } from "../contract/errors.js";
import type { Guard } from "./guard.js";

const exposedHeaders =
  "X-Request-Id, X-Sandbox-Outcome, X-Sandbox-Fault, X-Sandbox-Rules, X-Sandbox-Account, X-Sandbox-Cut-Confidence, X-Sandbox-Left-Out, Retry-After";
const allowedMethods = "GET, POST, PUT, PATCH, DELETE";
const preflightMaxAgeSeconds = "600";

const notAllowed = (origin: string): Refusal =>
  new Refusal("forbidden_origin", {
    param: "Origin",
    message: `Pages of ${origin} may not call the sandbox; start with --allow-origin ${origin} to allow it.`,
  });

/** Adds the CORS headers to replies for allowed origins, and answers their preflight requests. */
export const cors =
  (guard: Guard): RequestHandler =>
  ({ context, method, headers }, response, next) => {
    const { origin } = headers;
    const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
    if (origin !== undefined && isPreflight && !guard.allows(origin)) throw notAllowed(origin);
    if (origin === undefined || !guard.allows(origin)) return next();
    context.replyHeaders.push(
      ...["Access-Control-Allow-Origin", origin, "Vary", "Origin"],
      ...["Access-Control-Expose-Headers", exposedHeaders],
    );
    if (!isPreflight) return next();
    const wanted = context.header("access-control-request-headers");
    response.writeHead(204, [
      ...context.replyHeaders,
      ...["Access-Control-Allow-Methods", allowedMethods],
      ...(wanted ? ["Access-Control-Allow-Headers", wanted] : []),
      ...["Access-Control-Max-Age", preflightMaxAgeSeconds],
    ]);
    response.end();
  };
