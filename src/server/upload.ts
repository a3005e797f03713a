/** Takes multipart uploads: streamed, counted, hashed and sniffed; never on disk, in memory only where asked for. */
import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { StorageEngine } from "multer";
import { Refusal, refuse } from "../contract/errors.js";
import type { FileInspector, Upload, UploadedFile, UploadField } from "../contract/operation.js";
import { ClientGone } from "./body.js";
import { fileTypeFromBuffer, multer } from "./multipart.js";
import { PictureHeader } from "./picture.js";
import { passYoungBuffer } from "./young-buffers.js";

/** file-type needs no more than these to know a file. */
const headBytes = 4100;
const fieldBytes = 64 * 1024;
const fieldCount = 20;

export interface Form {
  fields: Record<string, unknown>;
  files: Record<string, UploadedFile>;
}

interface Incoming {
  fieldname: string;
  originalname: string;
  stream: NodeJS.ReadableStream;
}

/** For a media type that tells a reader nothing. */
const inWords: Readonly<Record<string, string>> = {
  "application/x-cfb": "an old Office file such as .doc, or one that a password protects",
};

const sayType = (type: string | null): string => (type && (inWords[type] ?? type)) ?? "none of these";

const sayBytes = (bytes: number): string => `${bytes} bytes (${bytes / 1024 / 1024} MB)`;

const tooLarge = (field: string, { maxBytes }: UploadField): Refusal =>
  new Refusal("file_too_large", {
    param: field,
    message: `${field} may have at most ${sayBytes(maxBytes)}.`,
  });

/** What a file has shown so far. */
interface Seen {
  size: number;
  hash: Hash;
  head: Buffer;
  kept: Buffer[];
  picture: PictureHeader | null;
  inspector: FileInspector | undefined;
}

const begin = (name: string, { maxPixels, inspect }: UploadField): Seen => ({
  size: 0,
  hash: createHash("sha256"),
  head: Buffer.alloc(0),
  kept: [],
  picture: maxPixels === undefined ? null : new PictureHeader(name, maxPixels),
  inspector: inspect?.(),
});

/** Takes the next bytes of a file; what they show to be wrong is known at once. */
function see(seen: Seen, chunk: Buffer, name: string, field: UploadField): Refusal | null {
  seen.size += chunk.length;
  passYoungBuffer(chunk.length);
  if (seen.size > field.maxBytes) return tooLarge(name, field);
  seen.hash.update(chunk);
  if (seen.head.length < headBytes)
    seen.head = Buffer.concat([seen.head, chunk.subarray(0, headBytes - seen.head.length)]);
  if (field.keep) seen.kept.push(chunk);
  seen.inspector?.see(chunk);
  return seen.picture?.take(chunk) ?? null;
}

/** A multer storage that lets the bytes go by: what stays is their number, their hash and their head. */
class Counter implements StorageEngine {
  constructor(
    readonly upload: Upload,
    readonly files: Record<string, UploadedFile>,
    /** Told at once of what is wrong; multer itself tells only when the client has sent everything. */
    readonly refused: (error: unknown) => void,
  ) {}

  _handleFile(_request: unknown, file: Incoming, done: (error?: unknown) => void): void {
    const field = this.upload[file.fieldname];
    if (!field) return done(new Refusal("validation_error", { param: file.fieldname }));
    const seen = begin(file.fieldname, field);
    let ended = false;
    const end = (error?: unknown) => {
      if (ended) return;
      ended = true;
      seen.kept.length = 0;
      if (error) this.refused(error);
      done(error);
    };
    file.stream.on("data", (chunk: Buffer) => {
      if (ended) return;
      const wrong = see(seen, chunk, file.fieldname, field);
      if (wrong) end(wrong);
    });
    file.stream.on("error", end);
    file.stream.on("end", () => {
      this.#finish(file, field, seen).then(() => end(), end);
    });
  }

  _removeFile(_request: unknown, _file: unknown, done: (error: Error | null) => void): void {
    done(null);
  }

  async #finish({ fieldname, originalname }: Incoming, field: UploadField, seen: Seen): Promise<void> {
    if (seen.size === 0) {
      refuse("validation_error", {
        param: fieldname,
        message: `${fieldname} is empty; send the file's bytes.`,
      });
    }
    const type = (await fileTypeFromBuffer(seen.head))?.mime ?? null;
    if (field.types && !field.types.some((allowed) => allowed === type)) {
      const right = field.types.join(", ");
      const message = `${fieldname} must be ${right}; its bytes show ${sayType(type)}.`;
      refuse("unsupported_media_type", { param: fieldname, message });
    }
    const wrong = seen.picture?.end(type);
    if (wrong) throw wrong;
    this.files[fieldname] = {
      filename: originalname,
      type,
      size: seen.size,
      sha256: seen.hash.digest("hex"),
      bytes: field.keep ? Buffer.concat(seen.kept) : null,
      inspected: seen.inspector?.end(),
    };
  }
}

const formForm = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=[^\s;]/i;

/** Reads the form whole; a Refusal says what is wrong with it. */
export function readForm(request: IncomingMessage, response: ServerResponse, upload: Upload): Promise<Form> {
  const type = request.headers["content-type"];
  if (!type || !formForm.test(type)) {
    refuse("unsupported_media_type", {
      param: "Content-Type",
      message: `The body must be multipart/form-data with a boundary; the request says ${type ?? "nothing"}.`,
    });
  }
  const most = largestForm(upload);
  const [name, field] = Object.entries(upload)[0] as [string, UploadField];
  if (Number(request.headers["content-length"]) > most) throw tooLarge(name, field);
  const files: Record<string, UploadedFile> = {};
  return new Promise((resolve, reject) => {
    const read = multer({
      storage: new Counter(upload, files, reject),
      defParamCharset: "utf8",
      limits: {
        fields: fieldCount,
        fieldSize: fieldBytes,
        fieldNameSize: 100,
        parts: fieldCount + Object.keys(upload).length,
      },
    }).fields(Object.keys(upload).map((name) => ({ name, maxCount: 1 })));
    let received = 0;
    request.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > most) reject(tooLarge(name, field));
    });
    request.once("close", () => {
      if (!request.complete) reject(new ClientGone());
    });
    read(request as never, response as never, (error: unknown) => {
      const gone = request.destroyed && !request.complete;
      if (error) return reject(gone ? new ClientGone() : toRefusal(error, upload));
      resolve({ fields: { ...(request as { body?: Record<string, unknown> }).body }, files });
    });
  });
}

/** Bytes of the largest form that could be right: files, fields, and what stands around them. */
const largestForm = (upload: Upload): number =>
  Object.values(upload).reduce((sum, { maxBytes }) => sum + maxBytes, fieldCount * fieldBytes);

function toRefusal(error: unknown, upload: Upload): unknown {
  if (error instanceof Refusal) return error;
  if (error instanceof multer.MulterError) {
    const { code, field: param = "body" } = error;
    if (code === "LIMIT_UNEXPECTED_FILE") return unexpected(param, upload);
    return new Refusal("validation_error", {
      param,
      message: `The form is not acceptable: ${error.message}.`,
    });
  }
  return new Refusal("validation_error", {
    param: "body",
    message: `The multipart body cannot be read: ${error instanceof Error ? error.message : "it is damaged"}.`,
  });
}

function unexpected(param: string, upload: Upload): Refusal {
  if (Object.hasOwn(upload, param))
    return new Refusal("validation_error", { param, message: `${param} has more than one file; send one.` });
  const right = Object.keys(upload).join(", ");
  const message = `The form has a file in ${param}; files are taken in: ${right}.`;
  return new Refusal("unknown_field", { param, message });
}
