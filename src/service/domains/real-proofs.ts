/**
 * Looks up the proof of a domain in the real DNS and on the real web; assumption domains.lookup. Any error counts as a
 * missing proof. On the web it requests one path and follows redirects only within the host; the content is only
 * compared, and never shown.
 */
import { Resolver } from "node:dns/promises";
import { second, timer } from "../../time/time.js";
import type { ServiceSettings } from "../operation.js";
import { type ProofMethod, recordName, wellKnownPath } from "./domain-names.js";

/** Time limit in ms of both lookups together. */
export const lookupTimeoutMs = 5 * second;
const maxFileBytes = 4 * 1024;
const maxRedirects = 3;
/** Options of DNS lookups, which allow one retry within the time limit. */
const dnsOptions = { timeout: 2 * second, tries: 2 };

interface ProofQuery {
  domain: string;
  token: string;
  settings: ServiceSettings["domains"];
}

/** Returns the proof that contains the token, or null. The DNS record takes precedence. */
export async function findRealProof({ domain, token, settings }: ProofQuery): Promise<ProofMethod | null> {
  const abort = new AbortController();
  const deadline = timer(lookupTimeoutMs, () => abort.abort());
  try {
    const origin = settings.origin?.replaceAll("{domain}", domain) ?? `https://${domain}`;
    const inFile = isInFile(new URL(wellKnownPath, origin), token, abort.signal);
    if (await isInDns(recordName(domain), token, settings.resolver, abort.signal)) return "dns_txt";
    return (await inFile) ? "well_known_file" : null;
  } finally {
    deadline.cancel();
    abort.abort();
  }
}

/** Returns whether one of the TXT records, its chunks joined, is the token. */
async function isInDns(
  name: string,
  token: string,
  server: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  const resolver = new Resolver(dnsOptions);
  if (server !== null) resolver.setServers([server]);
  signal.addEventListener("abort", () => resolver.cancel());
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.some((chunks) => chunks.join("") === token);
}

/** Returns whether the file is the token, ignoring surrounding white space. */
async function isInFile(url: URL, token: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await fetchText(url, signal, maxRedirects))?.trim() === token;
  } catch {
    return false;
  }
}

/**
 * Returns the body of a 200 response of at most 4 kB, reached without leaving the host; otherwise null. The platform's `fetch`
 * does all of this in fewer lines than node:http, and is loaded only where the real web is asked.
 */
async function fetchText(url: URL, signal: AbortSignal, redirects: number): Promise<string | null> {
  const response = await fetch(url, {
    redirect: "manual",
    signal,
    headers: { Accept: "text/plain", "Accept-Encoding": "identity", "User-Agent": "Standin" },
  });
  if (response.status === 200) return readProof(response);
  await response.body?.cancel();
  const location = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || location === null || redirects === 0) return null;
  const next = new URL(location, url);
  return isAllowedRedirect(url, next) ? fetchText(next, signal, redirects - 1) : null;
}

/** Returns whether a redirect keeps host and port, and does not downgrade from https. */
const isAllowedRedirect = (from: URL, to: URL): boolean =>
  to.host === from.host && (to.protocol === from.protocol || to.protocol === "https:");

async function readProof({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxFileBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
