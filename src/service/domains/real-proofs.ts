/**
 * Asks the real DNS and the real web for a domain's proof; assumption domains.lookup. Whatever goes wrong on the way is
 * a proof that is not there. Of the web it asks for one path, and for where the same host redirects it to; what it reads
 * it compares and tells nobody.
 */
import { Resolver } from "node:dns/promises";
import { second, timer } from "../../world/time/time.js";
import type { ServiceSettings } from "../operation.js";
import { recordName } from "./machine.js";
import { type ProofMethod, wellKnownPath } from "./schemas.js";

/** For both together. */
export const patience = 5 * second;
const mostBytes = 4 * 1024;
const mostRedirects = 3;
/** A lost packet is asked for again within the patience. */
const dnsTries = { timeout: 2 * second, tries: 2 };

interface Lookup {
  domain: string;
  token: string;
  settings: ServiceSettings["domains"];
}

export async function lookUpProof({ domain, token, settings }: Lookup): Promise<ProofMethod | null> {
  const over = new AbortController();
  const deadline = timer(patience, () => over.abort());
  try {
    const origin = settings.origin?.replaceAll("{domain}", domain) ?? `https://${domain}`;
    const inFile = isInFile(new URL(wellKnownPath, origin), token, over.signal);
    if (await isInDns(recordName(domain), token, settings.resolver, over.signal)) return "dns_txt";
    return (await inFile) ? "well_known_file" : null;
  } finally {
    deadline.cancel();
    over.abort();
  }
}

/** One of the records, its chunks joined, is the token. */
async function isInDns(
  name: string,
  token: string,
  server: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  const resolver = new Resolver(dnsTries);
  if (server !== null) resolver.setServers([server]);
  signal.addEventListener("abort", () => resolver.cancel());
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.some((chunks) => chunks.join("") === token);
}

/** The file, but for white space around it, is the token. */
async function isInFile(url: URL, token: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await read(url, signal, mostRedirects))?.trim() === token;
  } catch {
    return false;
  }
}

/** Null for anything but a 200 of at most so many bytes, reached without leaving the host. */
async function read(url: URL, signal: AbortSignal, redirects: number): Promise<string | null> {
  const response = await fetch(url, {
    redirect: "manual",
    signal,
    headers: { Accept: "text/plain", "Accept-Encoding": "identity", "User-Agent": "Standin" },
  });
  if (response.status === 200) return readBody(response);
  await response.body?.cancel();
  const location = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || location === null || redirects === 0) return null;
  const next = new URL(location, url);
  return staysOn(url, next) ? read(next, signal, redirects - 1) : null;
}

/** The same host and port, and no step down from https. */
const staysOn = (from: URL, to: URL): boolean =>
  to.host === from.host && (to.protocol === from.protocol || to.protocol === "https:");

async function readBody({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
