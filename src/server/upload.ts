/**
 * Receives multipart uploads: streamed, counted, hashed and sniffed. Files never touch the disk, and stay in memory
 * only on request.
 */
import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { StorageEngine } from "multer";
import { Refusal, refuse } from "../contract/errors.js";
import type { FileInspector, Upload, UploadedFile, UploadField } from "../contract/upload.js";
import { IncompleteBody, onMoreThan, parseMediaType } from "./json-body.js";
import { fileTypeFromBuffer, multer } from "./multipart.js";
import { PictureHeader } from "./picture.js";
import { maxRecentFileBytes, recentFiles } from "./recent-files.js";
import { ClientGone } from "./request-context.js";

/**
 * Number of bytes at the beginning of a file from which its type is read. file-type needs 4,100; MP3 may start with
 * other bytes.
 */
const headBytes = 16_384;
const maxFieldBytes = 64 * 1024;
const maxFieldCount = 20;

export interface UploadForm {
  fields: Record<string, unknown>;
  files: Record<string, UploadedFile>;
}

interface Incoming {
  fieldname: string;
  originalname: string;
  stream: NodeJS.ReadableStream;
}

/** Descriptions of media types whose names mean nothing to most readers. */
const typeDescriptions: Readonly<Record<string, string>> = {
  "application/x-cfb": "an old Office file such as .doc, or one that a password protects",
};

const describeType = (type: string | null): string =>
  (type && (typeDescriptions[type] ?? type)) ?? "none of these";

const tooLarge = (field: string, { maxMB }: UploadField, megabyte: number): Refusal =>
  new Refusal("file_too_large", {
    param: field,
    message: `${field} may have at most ${maxMB * megabyte} bytes (${maxMB} MB).`,
  });

/** State of a file that is still arriving. */
interface Incomplete {
  size: number;
  readonly maxBytes: number;
  /** Returns the refusal of a larger file. */
  tooLarge(): Refusal;
  hash: Hash;
  head: Buffer;
  kept: Buffer[];
  /** The bytes so far, for recordings. Empty if the file is too large. */
  recent: Buffer[];
  picture: PictureHeader | null;
  inspector: FileInspector | undefined;
}

const begin = (name: string, field: UploadField, megabyte: number): Incomplete => ({
  size: 0,
  maxBytes: field.maxMB * megabyte,
  tooLarge: () => tooLarge(name, field, megabyte),
  hash: createHash("sha256"),
  head: Buffer.alloc(0),
  kept: [],
  recent: [],
  picture: field.maxPixels === undefined ? null : new PictureHeader(name, field.maxPixels),
  inspector: field.inspect?.(),
});

/** Takes the next bytes of a file, and returns a refusal as soon as they show that something is wrong. */
function take(seen: Incomplete, chunk: Buffer, field: UploadField, body: IncompleteBody): Refusal | null {
  seen.size += chunk.length;
  if (seen.size > seen.maxBytes) return seen.tooLarge();
  seen.hash.update(chunk);
  if (seen.head.length < headBytes)
    seen.head = Buffer.concat([seen.head, chunk.subarray(0, headBytes - seen.head.length)]);
  if (field.keep) seen.kept.push(chunk);
  if (seen.size <= maxRecentFileBytes) seen.recent.push(chunk);
  else seen.recent.length = 0;
  const isKept = field.keep || seen.size <= maxRecentFileBytes;
  const tooMany = isKept ? body.hold(chunk.length) : null;
  if (tooMany) return tooMany;
  seen.inspector?.see(chunk);
  return seen.picture?.take(chunk) ?? null;
}

/** Returns whether a file is a PDF. Viewers accept the header anywhere in the first kilobyte. */
const isPdf = (head: Buffer): boolean => head.subarray(0, 1024).includes("%PDF-");

/** A multer storage that keeps only the size, the hash and the head of each file. */
class Counter implements StorageEngine {
  constructor(
    readonly upload: Upload,
    readonly megabyte: number,
    readonly files: Record<string, UploadedFile>,
    readonly body: IncompleteBody,
    /** Called as soon as something is wrong. Multer itself reports errors only when the client has sent everything. */
    readonly refused: (error: unknown) => void,
  ) {}

  _handleFile(_request: unknown, file: Incoming, done: (error?: unknown) => void): void {
    const field = this.upload[file.fieldname];
    if (!field) return done(new Refusal("validation_error", { param: file.fieldname }));
    const seen = begin(file.fieldname, field, this.megabyte);
    let ended = false;
    const end = (error?: unknown) => {
      if (ended) return;
      ended = true;
      seen.kept.length = 0;
      seen.recent.length = 0;
      if (error) this.refused(error);
      done(error);
    };
    file.stream.on("data", (chunk: Buffer) => {
      if (ended) return;
      const wrong = take(seen, chunk, field, this.body);
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

  async #finish({ fieldname, originalname }: Incoming, field: UploadField, seen: Incomplete): Promise<void> {
    if (seen.size === 0) {
      refuse("validation_error", {
        param: fieldname,
        message: `${fieldname} is empty; send the file's bytes.`,
      });
    }
    const known = (await fileTypeFromBuffer(seen.head))?.mime;
    const type = known ?? field.recognize?.(seen.head) ?? (isPdf(seen.head) ? "application/pdf" : null);
    if (field.types && !field.types.some((allowed) => allowed === type)) {
      const right = field.types.join(", ");
      const message = `${fieldname} must be ${right}; its bytes show ${describeType(type)}.`;
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
      kept: recentFiles.keep(seen.recent),
    };
  }
}

/** Receives the complete form, or rejects with a refusal. `megabyte` is the number of bytes in a MB of its limits. */
export function receiveForm(
  request: IncomingMessage,
  response: ServerResponse,
  upload: Upload,
  megabyte: number,
): Promise<UploadForm> {
  checkFormHeaders(request);
  const limit = largestFormBytes(upload, megabyte);
  const [name, field] = Object.entries(upload)[0] as [string, UploadField];
  if (Number(request.headers["content-length"]) > limit) throw tooLarge(name, field, megabyte);
  const files: Record<string, UploadedFile> = {};
  const body = new IncompleteBody();
  return new Promise<UploadForm>((resolve, reject) => {
    const fail = (error: unknown) => {
      const gone = request.destroyed && !request.complete;
      reject(gone ? new ClientGone() : readable(error));
    };
    const unnamed = new Set<string>();
    const read = multer({
      storage: new Counter(upload, megabyte, files, body, fail),
      ...watchUnnamedFiles(unnamed),
      defParamCharset: "utf8",
      limits: {
        fields: maxFieldCount,
        fieldSize: maxFieldBytes,
        fieldNameSize: 100,
        parts: maxFieldCount + Object.keys(upload).length,
      },
    }).fields(Object.keys(upload).map((name) => ({ name, maxCount: 1 })));
    onMoreThan(request, limit, () => reject(tooLarge(name, field, megabyte)));
    request.once("close", () => {
      if (!request.complete) reject(new ClientGone());
    });
    read(request as never, response as never, (error: unknown) => {
      if (error) return fail(longTextInPlaceOf(upload, error) ?? error);
      const fields: Record<string, unknown> = { ...(request as { body?: Record<string, unknown> }).body };
      const isUnnamed = (name: string) => !files[name] && (unnamed.has(name) || Object.hasOwn(fields, name));
      const first = Object.keys(upload).find(isUnnamed);
      if (first !== undefined) return reject(noFileName(first));
      resolve({ fields, files });
    });
  }).finally(() => body.release());
}

/**
 * Collects the fields whose bytes came as application/octet-stream without a file name: multer skips such parts, as it
 * should the empty ones that a browser sends for an input without a file.
 */
const watchUnnamedFiles = (found: Set<string>) => ({
  streamHandler(request: IncomingMessage, parser: NodeJS.WritableStream) {
    parser.on("file", (name: string, stream: NodeJS.ReadableStream, { filename }: { filename?: string }) => {
      if (!filename) stream.once("data", () => found.add(name));
    });
    request.pipe(parser);
  },
});

/**
 * Returns the refusal of a file without a file name. Such a part is a text field, as for `Request.formData()` and most
 * servers.
 */
const noFileName = (field: string): Refusal =>
  new Refusal("missing_field", {
    param: field,
    message: `${field} arrived as a text field, since its part has no file name; add one to the part's header: Content-Disposition: form-data; name="${field}"; filename="…".`,
  });

/** Returns the refusal of a field that is too long for a text because it was meant to be a file. */
const longTextInPlaceOf = (upload: Upload, error: unknown): Refusal | null =>
  error instanceof multer.MulterError &&
  error.code === "LIMIT_FIELD_VALUE" &&
  Object.hasOwn(upload, error.field ?? "")
    ? noFileName(error.field as string)
    : null;

/** Refuses a body that is not a form. Rewrites its type in the form that multer reads. */
function checkFormHeaders({ headers }: IncomingMessage): void {
  const given = headers["content-type"];
  const type = parseMediaType(given ?? "");
  const boundary = type?.essence === "multipart/form-data" ? type.params.get("boundary") : null;
  if (!boundary) {
    refuse("unsupported_media_type", {
      param: "Content-Type",
      message: `The body must be multipart/form-data with a boundary; the request says ${given ?? "nothing"}.`,
    });
  }
  headers["content-type"] = `multipart/form-data; boundary="${boundary}"`;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    refuse("unsupported_media_type", {
      param: "Content-Encoding",
      message: `The form must be uncompressed; the request says ${encoding}.`,
    });
  }
}

/** Returns the size of the largest acceptable form: its files, its fields and what surrounds them. */
const largestFormBytes = (upload: Upload, megabyte: number): number =>
  Object.values(upload).reduce((sum, { maxMB }) => sum + maxMB * megabyte, maxFieldCount * maxFieldBytes);

/** Returns errors that the application's error handler knows. Any other error comes from a damaged body. */
function readable(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof multer.MulterError) return error;
  return new Refusal("validation_error", {
    param: "body",
    message: `The multipart body cannot be read: ${error instanceof Error ? error.message : "it is damaged"}.`,
  });
}
