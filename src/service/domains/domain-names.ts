/** Domain names in one notation: lower case, ASCII, without a trailing dot; assumption domains.names. */
import { domainToASCII, domainToUnicode } from "node:url";
import * as Type from "typebox";

/** Maximum length of a name in DNS. It applies to the ASCII notation, which is the longest. */
const maxNameLength = 253;

const labelPattern = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const ipv4Pattern = /^\d+(?:\.\d+){3}$/;

/** Matches characters that the URL parser would take for a scheme, user, port, path or escape, or would drop. */
const forbiddenCharacters = /[\s\p{Cc}/\\?#@:%[\]]/u;

/**
 * Returns whether labels in Punycode, such as xn--bcher-kva, decode to letters. Node 24 accepts URLs with labels that
 * do not.
 */
function isDecodable(name: string): boolean {
  const letters = domainToUnicode(name);
  return !/(?:^|\.)xn--/.test(letters) && domainToASCII(letters) === name;
}

/** Returns the domain that the text names. Null for an IP address, a single label, or anything that is not a name. */
export function toDomain(text: string): string | null {
  if (text.length > maxNameLength + 1 || forbiddenCharacters.test(text)) return null;
  if (!URL.canParse(`http://${text}`)) return null;
  const name = new URL(`http://${text}`).hostname.replace(/\.$/, "");
  const labels = name.split(".");
  const isValid =
    name.length <= maxNameLength && labels.length > 1 && labels.every((part) => labelPattern.test(part));
  return isValid && !ipv4Pattern.test(name) && isDecodable(name) ? name : null;
}

/** Returns the error message for a text that names no domain, with a suggestion. */
export function describeInvalidDomain(text: string): string {
  const [, host] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@]*@)?([^/?#@:]+)/i.exec(text) ?? [];
  const suggestion = toDomain(host ?? "") ?? "example.com";
  return `domain must be a domain name such as ${suggestion}: at least two labels, no scheme, port, path or IP address; got ${JSON.stringify(text.slice(0, 60))}.`;
}

// Interface: "Domain verification".

/** The interface shows `dns_txt`; `well_known_file` is named after the other proof. */
export const ProofMethod = Type.Enum(["dns_txt", "well_known_file"], { "x-assumption": "domains.check" });
export type ProofMethod = Type.Static<typeof ProofMethod>;

export const wellKnownPath = "/.well-known/service-verify.txt";

export const recordName = (domain: string): string => `_service-verify.${domain}`;
export const fileUrl = (domain: string): string => `https://${domain}${wellKnownPath}`;
