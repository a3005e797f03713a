/** URLs of audited sites in one notation. */
import { refuse } from "../../contract/errors.js";

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Names with a dot, localhost, and IP addresses. */
const hostPattern = /^(?:localhost|\[[0-9a-f:.]+\]|(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]+)\.?$/;

const ipv4Pattern = /^\d+(?:\.\d+){3}$/;
/** A literal IPv4 address; the URL parser would also accept 42 for 0.0.0.42. */
const ipv4UrlPattern = /^https?:\/\/\d+(?:\.\d+){3}\.?(?:[:/?#]|$)/i;

export interface Site {
  /** With scheme, in ASCII, without fragment and without a trailing dot on the host. */
  url: string;
  host: string;
}

/** Parses the URL of a site: `Example.com` is `https://example.com/`. Refuses any other text with validation_error. */
export function parseSite(text: string): Site {
  const trimmed = text.trim();
  const address = schemePattern.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const named =
    url &&
    hostPattern.test(url.hostname) &&
    (!ipv4Pattern.test(url.hostname) || ipv4UrlPattern.test(address));
  if (!url || !named || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    const message = `url must be the address of a website, such as https://example.com; got ${JSON.stringify(text.slice(0, 80))}.`;
    return refuse("validation_error", { param: "url", message });
  }
  url.hash = "";
  url.hostname = url.hostname.replace(/\.$/, "");
  return { url: url.href, host: url.hostname };
}
