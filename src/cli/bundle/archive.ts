/** The file of a bundle: a zip of JSON documents. */
import type { Bundle } from "../../client/account/types.js";
import { asNotInstalled } from "../../contract/optional-packages.js";
import { decodeText, readFileBytes } from "../../contract/read-file.js";
import { majorOf } from "../../world/snapshot/snapshot.js";
import { CommandError } from "../errors.js";

/** Members of a bundle that have a document of their own in the archive. */
const documents = ["snapshot", "history", "deliveries"] as const;
const headName = "bundle.json";
/** Maximum size of an unpacked bundle. */
const maxBytes = 512 * 1024 * 1024;

const loadZip = () =>
  import("fflate").catch((error: unknown) => {
    const missing = asNotInstalled(error);
    throw missing ? new CommandError(missing.message) : error;
  });

export async function packBundle(bundle: Bundle): Promise<Uint8Array> {
  const { strToU8, zipSync } = await loadZip();
  const { snapshot, history, deliveries, ...head } = bundle;
  const toBytes = (value: unknown, space = 0) => strToU8(`${JSON.stringify(value, null, space)}\n`);
  return zipSync({
    [headName]: toBytes(head, 2),
    "snapshot.json": toBytes(snapshot),
    "history.json": toBytes(history),
    "deliveries.json": toBytes(deliveries, 2),
  });
}

/** Reads a bundle that this version can open. Rejects with an error that says what is wrong with the file. */
export async function readBundle(file: string, version: string): Promise<Bundle> {
  const bytes = await readFileBytes(file, `the bundle ${file}`);
  const { unzipSync } = await loadZip();
  const names = [headName, ...documents.map((name) => `${name}.json`)];
  let unpacked = 0;
  const isWanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!names.includes(name)) return false;
    unpacked += originalSize;
    if (unpacked > maxBytes) throw new CommandError(`${file} unpacks to more than ${maxBytes} bytes`);
    return true;
  };
  const read = (parts: Record<string, Uint8Array>, name: string): unknown => {
    const part = parts[name];
    if (!part) throw new Error(`it contains no ${name}`);
    return JSON.parse(decodeText(part));
  };
  try {
    const parts = unzipSync(bytes, { filter: isWanted });
    const head = read(parts, headName) as Pick<Bundle, "standin">;
    checkVersion(file, head.standin, version);
    const others = documents.map((name) => [name, read(parts, `${name}.json`)]);
    return { ...head, ...Object.fromEntries(others) } as Bundle;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `${file} is damaged, or no file that standin bundle wrote: ${(error as Error).message}`,
    );
  }
}

function checkVersion(file: string, standin: Partial<Bundle["standin"]> | undefined, version: string): void {
  const written = standin?.version;
  if (typeof written !== "string") throw new Error(`its ${headName} names no version`);
  const [major, here] = [majorOf(written), majorOf(version)];
  if (major === here) return;
  const by = major ?? JSON.stringify(written);
  throw new CommandError(
    `${file} was written by standin ${written}; this is ${version}, which opens bundles of ${here}.x; open it with standin ${by}.x`,
  );
}
