/** The site that an audit names, in one notation. */
import { refuse } from "../../contract/errors.js";

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Names with a dot, localhost, and addresses. */
const isHost = /^(?:localhost|\[[0-9a-f:.]+\]|(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]+)\.?$/;

const isAddress = /^\d+(?:\.\d+){3}$/;
/** Written out: to the URL parser, 42 is 0.0.0.42. */
const isAddressIn = /^https?:\/\/\d+(?:\.\d+){3}\.?(?:[:/?#]|$)/i;

export interface Site {
  /** With its scheme, in ASCII, without fragment and without the dot that may end a host. */
  url: string;
  host: string;
}

/** `Example.com` is `https://example.com/`. */
export function siteOf(text: string): Site {
  const trimmed = text.trim();
  const address = hasScheme.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const named =
    url && isHost.test(url.hostname) && (!isAddress.test(url.hostname) || isAddressIn.test(address));
  if (!url || !named || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    const message = `url must be the address of a website, such as https://example.com; ${JSON.stringify(text.slice(0, 80))} is not.`;
    return refuse("validation_error", { param: "url", message });
  }
  url.hash = "";
  url.hostname = url.hostname.replace(/\.$/, "");
  return { url: url.href, host: url.hostname };
}
