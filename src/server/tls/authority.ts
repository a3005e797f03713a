/**
 * The local authority that signs the sandbox's certificates. It is kept in a folder, so that it has to be trusted only
 * once.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { IssuedIdentity } from "./issue.js";

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
