/**
 * The sandbox's certificate, from files or from the local authority that signs it. The authority is kept in a folder,
 * so that it has to be trusted only once.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { createSecureContext, type SecureContext, type TlsOptions } from "node:tls";
import { type FileError, readTextFile } from "../../contract/read-file.js";
import type { IssuedIdentity } from "./issue.js";

export interface TlsSettings {
  /** Port of the HTTPS listener; 0 picks a free one. */
  port: number;
  /** Files with a certificate and its key. Null for a certificate of the local authority. */
  files: { certificate: string; key: string } | null;
  /** Folder of the authority. Null to make a temporary one. */
  authorityFolder: string | null;
  /** Names, in lower case, and IP addresses by which clients may reach the sandbox, in addition to this machine's own. */
  hosts: readonly string[];
}

export interface TlsIdentity {
  /** Certificate and key of the server. */
  options: Pick<TlsOptions, "cert" | "key" | "SNICallback">;
  /** Certificate of the authority in PEM. Null for a certificate from files. */
  authority: string | null;
}

export async function loadIdentity({ files, authorityFolder, hosts }: TlsSettings): Promise<TlsIdentity> {
  if (files) {
    const { certificate: cert, key } = await readIdentity(files);
    return { options: { cert, key }, authority: null };
  }
  const authority = await loadAuthority(authorityFolder, hosts);
  const { createKey, hostsOutside, issueServer, subtreesOf } = await import("./issue.js");
  const all = new Set(["localhost", "127.0.0.1", "::1", ...hosts]);
  const subtrees = subtreesOf(authority.certificate);
  const machine = hostname().toLowerCase();
  if (!subtrees || hostsOutside(subtrees, [machine]).length === 0) all.add(machine);
  const key = await createKey();
  const issue = (names: readonly string[]) => issueServer(names, authority, key).certificate;
  const SNICallback = localNames((name) => createSecureContext({ cert: issue([name, ...all]), key }));
  return { options: { cert: issue([...all]), key, SNICallback }, authority: authority.certificate };
}

/** Names below localhost, which need no entry in DNS (RFC 6761, section 6.3). */
const localName = /^(?:(?!-)[a-z\d_-]{1,63}\.){1,8}localhost$/;
/** Maximum number of names whose certificates are kept. */
const maxLocalNames = 100;

/**
 * Returns a callback that gives each name below localhost its own certificate: strict clients refuse `*.localhost`,
 * because its wildcard is directly below a top-level name. Other names get the certificate of the server.
 */
function localNames(create: (name: string) => SecureContext): TlsOptions["SNICallback"] {
  const contexts = new Map<string, SecureContext>();
  return (given, done) => {
    const name = given.toLowerCase();
    if (!localName.test(name)) return done(null);
    const context = contexts.get(name) ?? create(name);
    contexts.set(name, context);
    const [oldest = name] = contexts.keys();
    if (contexts.size > maxLocalNames) contexts.delete(oldest);
    done(null, context);
  };
}

async function readIdentity({
  certificate,
  key,
}: {
  certificate: string;
  key: string;
}): Promise<IssuedIdentity> {
  const identity = {
    certificate: await readOption("tlsCert", certificate),
    key: await readOption("tlsKey", key),
  };
  let isPair: boolean;
  try {
    isPair = new X509Certificate(identity.certificate).checkPrivateKey(createPrivateKey(identity.key));
  } catch (error) {
    throw new Error(`tlsCert and tlsKey must be files in PEM; ${(error as Error).message}`);
  }
  if (!isPair) throw new Error(`tlsKey must be the key of tlsCert; ${key} belongs to another certificate`);
  return identity;
}

const certificateForm =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Reads a file with certificates in PEM that an option names, and checks them, because node:tls ignores what it cannot
 * read.
 */
export async function readCertificates(option: string, file: string): Promise<string> {
  const text = await readOption(option, file);
  const certificates = text.match(certificateForm) ?? [];
  const rule = `${option} must be a file with certificates in PEM`;
  if (certificates.length === 0) throw new Error(`${rule}; ${file} has none`);
  for (const [index, certificate] of certificates.entries())
    try {
      new X509Certificate(certificate);
    } catch {
      throw new Error(`${rule}; number ${index + 1} of ${file} is damaged`);
    }
  return text;
}

/** Reads a file that an option names. */
export const readOption = (option: string, file: string): Promise<string> =>
  readTextFile(file).catch((error: FileError) => {
    throw new Error(`${option} must be a file that can be read; ${error.message}`);
  });

const certificateFile = "authority.pem";
const keyFile = "authority-key.pem";

/** Returns the folder of the authority in a data folder. */
export const authorityFolder = (data: string): string => join(data, "tls");

/**
 * Reads the authority of a folder, or creates one, always if `isNew`. Without a folder, each call creates a temporary
 * authority. `hosts` are the names and IP addresses, in addition to this machine's loopback, that it must be allowed to
 * sign for.
 */
export async function loadAuthority(
  folder: string | null,
  hosts: readonly string[],
  isNew = false,
): Promise<IssuedIdentity> {
  const { hostsOutside, issueAuthority, localSubtrees, subtreesOf } = await import("./issue.js");
  if (folder === null) return issueAuthority(hosts);
  const known = isNew ? null : await readAuthority(folder);
  const authority = known ?? (await keepAuthority(folder, await issueAuthority(hosts), isNew));
  const subtrees = subtreesOf(authority.certificate);
  const outside = subtrees ? hostsOutside(subtrees, hosts) : [];
  if (outside.length === 0) return authority;
  const names = hostsOutside(localSubtrees, hosts).map((host) => `--allow-host ${host}`);
  throw new Error(
    `the authority in ${folder} was not made for ${outside.join(" and ")}; a new one, which clients must trust again, is made by: standin ca --new ${names.join(" ")} --data "${dirname(folder)}"`,
  );
}

async function readAuthority(folder: string, isRetry = false): Promise<IssuedIdentity | null> {
  const read = (name: string) => readFile(join(folder, name), "utf8").catch(() => null);
  const [certificate, key] = [await read(certificateFile), await read(keyFile)];
  if (certificate === null && key === null) return null;
  const problem = problemOf(certificate, key);
  if (problem === null) return { certificate: certificate as string, key: key as string };
  // Another process may have created the folder after the first file was looked for.
  if (!isRetry) return readAuthority(folder, true);
  throw new Error(
    `the authority in ${folder} cannot be used: ${problem}; delete that folder to have a new one, which clients must trust again`,
  );
}

/** Returns what is wrong with the files of an authority, or null. */
function problemOf(certificate: string | null, key: string | null): string | null {
  if (certificate === null || key === null)
    return `${certificate === null ? certificateFile : keyFile} is missing or cannot be read`;
  try {
    const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    return isPair ? null : "its key belongs to another certificate";
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Stores an authority with a single rename, so that a folder never contains half of one. If another process was first,
 * returns its authority.
 */
async function keepAuthority(folder: string, made: IssuedIdentity, isNew: boolean): Promise<IssuedIdentity> {
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    const workplace = await mkdtemp(`${folder}.new-`);
    try {
      const prepared = join(workplace, "prepared");
      await mkdir(prepared, { mode: 0o700 });
      await writeFile(join(prepared, keyFile), made.key, { mode: 0o600 });
      await writeFile(join(prepared, certificateFile), made.certificate);
      if (isNew) await rename(folder, join(workplace, "former")).catch(ignoreMissing);
      await rename(prepared, folder);
    } finally {
      await rm(workplace, { recursive: true, force: true });
    }
    return made;
  } catch (error) {
    const first = await readAuthority(folder);
    if (first) return first;
    throw new Error(`the authority cannot be kept in ${folder}: ${(error as Error).message}`);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** Returns the SHA-256 fingerprint of a certificate: pairs of hex digits with colons. */
export const fingerprintOf = ({ certificate }: Pick<IssuedIdentity, "certificate">): string =>
  new X509Certificate(certificate).fingerprint256;
