/** What protects the hosted pages: the headers of their replies, and a look at where a form comes from. */
import type { Request, RequestHandler } from "express";
import helmet from "helmet";

const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
});

/** Replaces the start page's policy, keeps the page out of every cache, and lets it ask for the location alone. */
export const hostedHeaders: readonly RequestHandler[] = [
  policy,
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
 * Whether a form was sent by a page of another site. A browser says so in Sec-Fetch-Site, which no page can set;
 * over plain HTTP off localhost (a phone that opens the tester's machine) it says nothing there, and because of
 * Referrer-Policy its Origin is "null": such a form is taken, since its path is a secret already.
 */
export function fromAnotherSite({ headers }: Request): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  if (origin === undefined || origin === "null") return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
