/** The sandbox's certificate, from a local authority or from files. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { hostname } from "node:os";
import { createSecureContext, type SecureContext, type TlsOptions } from "node:tls";
import { type FileError, readTextFile } from "../../contract/read-file.js";
import { loadAuthority } from "./authority.js";
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
