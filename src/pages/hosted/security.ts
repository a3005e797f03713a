/** Security headers of the hosted pages, and detection of forms that other sites send. */
import type { Request, RequestHandler } from "express";
import { contentSecurityPolicy } from "../content-security.js";

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
export function isCrossSite({ headers }: Request): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  if (origin === undefined || origin === "null") return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
