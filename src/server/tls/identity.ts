/** The certificate that the sandbox shows: one of a local authority, or one from files. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { hostname } from "node:os";
import { type FileError, readTextFile } from "../../contract/read-file.js";
import { loadAuthority } from "./authority.js";
import { type IssuedIdentity, issueServer } from "./issue.js";

export interface TlsSettings {
  /** Port of the HTTPS listener; 0 picks a free one. */
  port: number;
  /** Files with a certificate and its key. Null for a certificate of the local authority. */
  files: { certificate: string; key: string } | null;
  /** Folder of the authority. Null to make one that is kept nowhere. */
  authorityFolder: string | null;
  /** Names and IP addresses by which clients may reach the sandbox, besides those of this machine. */
  hosts: readonly string[];
}

export interface TlsIdentity extends IssuedIdentity {
  /** Certificate of the authority in PEM. Null for a certificate from files. */
  authority: string | null;
}

export async function loadIdentity({ files, authorityFolder, hosts }: TlsSettings): Promise<TlsIdentity> {
  if (files) return { ...(await readIdentity(files)), authority: null };
  const authority = await loadAuthority(authorityFolder);
  const all = new Set(["localhost", "*.localhost", "127.0.0.1", "::1", hostname(), ...hosts]);
  return { ...(await issueServer([...all], authority)), authority: authority.certificate };
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

/** Reads a file that an option names. */
export const readOption = (option: string, file: string): Promise<string> =>
  readTextFile(file).catch((error: FileError) => {
    throw new Error(`${option} must be a file that can be read; ${error.message}`);
  });
