/** What the tools that convert a file share: the engine's thread, the refusals, the name of what comes back. */

import { refuse } from "../../contract/errors.js";
import { Binary, type Client } from "../../contract/operation.js";
import { refuseNotInstalled } from "../../contract/optional-packages.js";
import type { UploadedFile } from "../../contract/upload.js";
import { conversionPool } from "../../tools/conversions.js";
import { PoolBusyError, UnreadableFileError } from "../../tools/engine.js";
import type { EngineName, EngineOptions } from "../../tools/engines.js";
import type { ServiceSettings } from "../operation.js";

interface Preparing {
  files: { file: UploadedFile };
  outcome: string;
  settings: ServiceSettings;
  client: Client;
}

/** For `prepare`: the converted file; null where the outcome asks for a refusal. */
export async function convert<N extends EngineName>(
  { files: { file }, outcome, settings, client }: Preparing,
  engine: N,
  options: EngineOptions[N],
): Promise<Uint8Array | null> {
  if (outcome !== "converted") return null;
  try {
    const bytes = file.bytes as Buffer;
    const pool = await conversionPool(settings);
    return await pool.convert(engine, bytes, options, client.gone);
  } catch (error) {
    if (error instanceof UnreadableFileError)
      refuse("file_unreadable", { param: "file", message: `${sayFile(file)}: ${error.message}.` });
    if (error instanceof PoolBusyError)
      refuse("rate_limited", {
        message: `${error.message}; try again in a moment.`,
        headers: { "Retry-After": "5" },
      });
    refuseNotInstalled(error);
  }
}

const sayFile = ({ filename }: UploadedFile): string => JSON.stringify(filename.slice(0, 80));

/** For `handle`: what was prepared, under the upload's name with another ending. */
export function reply(
  {
    files: { file },
    outcome,
    client,
    prepared,
  }: Omit<Preparing, "settings"> & { prepared: Uint8Array | null },
  contentType: string,
  extension: string,
): Binary {
  // Thrown in the commit: who has left is not charged.
  client.gone.throwIfAborted();
  if (outcome === "unreadable")
    refuse("file_unreadable", {
      param: "file",
      message: "The file cannot be read: the outcome unreadable was asked for.",
    });
  const name = file.filename.replace(/\.[^.]*$/, "") || "file";
  return new Binary(contentType, prepared ?? new Uint8Array(), `${name}.${extension}`);
}
