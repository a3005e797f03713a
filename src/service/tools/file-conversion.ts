/** Shared by the tools that convert a file: running the engine, refusals, and the name of the converted file. */
import { refuse } from "../../contract/errors.js";
import type { Client } from "../../contract/operation.js";
import { refuseNotInstalled } from "../../contract/optional-packages.js";
import { Answer, Binary } from "../../contract/reply-forms.js";
import type { UploadedFile } from "../../contract/upload.js";
import { conversionPool } from "../../file-tools/conversions.js";
import {
  type Conversion,
  EngineFailedError,
  PoolBusyError,
  UnreadableFileError,
} from "../../file-tools/engine.js";
import type { EngineName, EngineOptions } from "../../file-tools/engines.js";
import type { ServiceSettings } from "../operation.js";

export const pdfType = "application/pdf";
export const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

export const conversionOutcomes = {
  converted: "the file is converted",
  unreadable: "the file cannot be read: file_unreadable",
} as const;

interface ConversionCall {
  account: { readonly id: string };
  files: { file: UploadedFile };
  outcome: string;
  settings: ServiceSettings;
  client: Client;
}

type PreparedCall = Omit<ConversionCall, "settings"> & { prepared: Conversion | null };

/** Converts the file, for an operation's `prepare`. Returns null if the outcome is a refusal. */
export async function convertFile<N extends EngineName>(
  { account, files: { file }, outcome, settings, client }: ConversionCall,
  engine: N,
  options: EngineOptions[N],
): Promise<Conversion | null> {
  if (outcome !== "converted") return null;
  try {
    const bytes = file.bytes as Buffer;
    const pool = await conversionPool(settings);
    return await pool.convert(account.id, engine, bytes, options, client.gone);
  } catch (error) {
    const name = JSON.stringify(file.filename.slice(0, 80));
    if (error instanceof UnreadableFileError)
      refuse("file_unreadable", { param: "file", message: `${name}: ${error.message}.` });
    if (error instanceof EngineFailedError) {
      const [reason] = error.message.split("\n");
      const message = `${name}: the sandbox failed to convert the file, which is a fault of its ${engine} engine and not of the file (${reason}); the log of the sandbox has the details.`;
      refuse("file_unreadable", { param: "file", message, failure: `${engine}: ${error.message}` });
    }
    if (error instanceof PoolBusyError)
      refuse("rate_limited", {
        message: `${error.message}; try again in a moment.`,
        headers: { "Retry-After": "5" },
      });
    refuseNotInstalled(error);
  }
}

/** Headers of the reply of a converted document, with their descriptions. */
export const documentHeaders = {
  "X-Sandbox-Left-Out":
    "What the document has and the result lacks, such as `2 charts, 1 shape`, as far as is known",
} as const;

/** Replies with the converted document and what it lacks, for an operation's `handle`. */
export function replyWithDocument(
  call: PreparedCall,
  contentType: string,
  extension: string,
): Answer<Binary> {
  const file = replyWithFile(call, contentType, extension);
  const leftOut = call.prepared?.leftOut ?? null;
  return new Answer(200, file, leftOut === null ? {} : { "X-Sandbox-Left-Out": leftOut });
}

/** Replies with the converted file, named after the upload, for an operation's `handle`. */
export function replyWithFile(call: PreparedCall, contentType: string, extension: string): Binary {
  // Throwing inside the commit avoids charging a client that has disconnected.
  call.client.gone.throwIfAborted();
  if (call.outcome === "unreadable") {
    const message = "The file cannot be read: the outcome unreadable was requested.";
    refuse("file_unreadable", { param: "file", message, byOutcome: true });
  }
  const name = call.files.file.filename.replace(/\.[^.]*$/, "") || "file";
  return new Binary(contentType, call.prepared?.bytes ?? new Uint8Array(), `${name}.${extension}`);
}
