/** The local authority that signs the sandbox's certificates. It is kept in a folder, so that it has to be trusted only once. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type IssuedIdentity, issueAuthority } from "./issue.js";

const certificateFile = "authority.pem";
const keyFile = "authority-key.pem";

/** The authority of a data folder cannot be used. The message says why. */
export class AuthorityError extends Error {}

/** Returns the folder of the authority in a data folder. */
export const authorityFolder = (data: string): string => join(data, "tls");

/** Reads the authority of a folder, or makes one. Without a folder, each call makes one that is kept nowhere. */
export async function loadAuthority(folder: string | null): Promise<IssuedIdentity> {
  const known = folder === null ? null : await readAuthority(folder);
  if (known) return known;
  const made = await issueAuthority();
  if (folder !== null) await writeAuthority(folder, made);
  return made;
}

async function readAuthority(folder: string): Promise<IssuedIdentity | null> {
  const read = (name: string) => readFile(join(folder, name), "utf8").catch(() => null);
  const [certificate, key] = [await read(certificateFile), await read(keyFile)];
  if (certificate === null && key === null) return null;
  const problem = problemOf(certificate, key);
  if (problem === null) return { certificate: certificate as string, key: key as string };
  throw new AuthorityError(
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

async function writeAuthority(folder: string, { certificate, key }: IssuedIdentity): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, keyFile), key, { mode: 0o600, flag: "wx" });
    await writeFile(join(folder, certificateFile), certificate, { flag: "wx" });
  } catch (error) {
    throw new AuthorityError(`the authority cannot be kept in ${folder}: ${(error as Error).message}`);
  }
}

/** Returns the SHA-256 fingerprint of a certificate: pairs of hex digits with colons. */
export const fingerprintOf = ({ certificate }: Pick<IssuedIdentity, "certificate">): string =>
  new X509Certificate(certificate).fingerprint256;
