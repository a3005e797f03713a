/** Uploads of a photo, whole or chunk by chunk. */
import type { SandboxAccount } from "../../src/index.js";
import { beforeContent, file, formOf, formType, type Part } from "./forms.js";
import { type Conversation, converse, headOf } from "./raw.js";
import { type Reply, read } from "./sandbox.js";

export const documentPath = "/v1/verify/document";

/** Maximum size of a photo, in bytes. */
export const photoLimit = 15 * 1024 * 1024;

export async function upload(
  account: SandboxAccount,
  parts: readonly Part[],
  path = documentPath,
): Promise<Reply> {
  const headers = { "Content-Type": formType };
  return read(await account.fetch(path, { method: "POST", headers, body: new Uint8Array(formOf(parts)) }));
}

interface ToolRequest {
  fields?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** Sends a file to a file tool, such as `audio-convert`, with the client that browsers have. */
export function sendToTool(
  account: SandboxAccount,
  tool: string,
  file: Uint8Array | Blob,
  filename = "upload.bin",
  { fields = {}, headers = {}, signal }: ToolRequest = {},
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set("file", file instanceof Blob ? file : new Blob([file as Uint8Array<ArrayBuffer>]), filename);
  return account.fetch(`/v1/tools/${tool}`, { method: "POST", body, headers, signal: signal ?? null });
}

interface SlowUpload extends Conversation {
  /** Sends these bytes as a further chunk of the part's content. */
  sendChunk(bytes: Uint8Array): Promise<void>;
}

/** Starts a chunked upload and stops before the first byte of the part's content. */
export async function beginUpload(
  account: SandboxAccount,
  part: Part = file("file", ""),
  path = documentPath,
): Promise<SlowUpload> {
  const conversation = converse(account.baseUrl);
  const headers = {
    "X-Service-Key": account.key,
    "Content-Type": formType,
    "Transfer-Encoding": "chunked",
  };
  const sendChunk = (bytes: Uint8Array) =>
    conversation.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, lineEnd]));
  await conversation.write(headOf({ method: "POST", target: path, headers }));
  await sendChunk(Buffer.from(beforeContent(part)));
  return { ...conversation, sendChunk };
}

const lineEnd = Buffer.from("\r\n");
