/** Domain names in one notation: lower case, ASCII, without a dot at the end; assumption domains.names. */

/** Longer ones cannot be in the DNS; no notation of a name is longer than its ASCII form. */
const longest = 253;

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const address = /^\d+(?:\.\d+){3}$/;

/** What the URL parser would take for a scheme, user, port, path or escape, or would leave out. */
const notOfNames = /[\s\p{Cc}/\\?#@:%[\]]/u;

/** The domain that a text names; null for what is none: an address, a single label, anything with more than a name. */
export function toDomain(text: string): string | null {
  if (text.length > longest + 1 || notOfNames.test(text)) return null;
  if (!URL.canParse(`http://${text}`)) return null;
  const name = new URL(`http://${text}`).hostname.replace(/\.$/, "");
  const labels = name.split(".");
  const right = name.length <= longest && labels.length > 1 && labels.every((part) => label.test(part));
  return right && !address.test(name) ? name : null;
}

/** What is wrong with a text that names no domain, and what would be right. */
export function sayNoDomain(text: string): string {
  const [, host] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@]*@)?([^/?#@:]+)/i.exec(text) ?? [];
  const right = toDomain(host ?? "") ?? "example.com";
  return `domain must be a domain name such as ${right}: at least two labels, no scheme, port, path or IP address; got ${JSON.stringify(text.slice(0, 60))}.`;
}
