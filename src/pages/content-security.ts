/** The Content-Security-Policy of pages: everything comes from the sandbox itself, and no page may frame them. */
import type { RequestHandler } from "express";
import helmet from "helmet";

type Directives = "imgSrc" | "connectSrc" | "formAction" | "requireTrustedTypesFor";

/** Returns the policy with the additional directives of a group of pages. */
export const contentSecurityPolicy = (
  directives: Partial<Record<Directives, readonly string[]>>,
): RequestHandler =>
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      ...directives,
    },
  });
