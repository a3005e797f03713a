/** Lets pages of allowed origins call the sandbox from a browser. */
import type { RequestHandler } from "express";
import type { Guard } from "./guard.js";

const exposedHeaders =
  "X-Request-Id, X-Sandbox-Outcome, X-Sandbox-Fault, X-Sandbox-Rules, X-Sandbox-Account, Retry-After";
const allowedMethods = "GET, POST, PUT, PATCH, DELETE";
const preflightMaxAgeSeconds = "600";

/** Adds the CORS headers to replies for allowed origins, and answers their preflight requests. */
export const cors =
  (guard: Guard): RequestHandler =>
  ({ context, method, headers }, response, next) => {
    const { origin } = headers;
    if (origin === undefined || !guard.allows(origin)) return next();
    context.replyHeaders.push(
      ...["Access-Control-Allow-Origin", origin, "Vary", "Origin"],
      ...["Access-Control-Expose-Headers", exposedHeaders],
    );
    if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return next();
    const wanted = context.header("access-control-request-headers");
    response.writeHead(204, [
      ...context.replyHeaders,
      ...["Access-Control-Allow-Methods", allowedMethods],
      ...(wanted ? ["Access-Control-Allow-Headers", wanted] : []),
      ...["Access-Control-Max-Age", preflightMaxAgeSeconds],
    ]);
    response.end();
  };
