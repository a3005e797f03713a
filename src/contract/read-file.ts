/** Reads the files that a person names or writes. Every error names the file, and says what is wrong with it. */
import { readFile } from "node:fs/promises";

/** Thrown when a file cannot be read, or does not contain what it should. */
export class FileError extends Error {
  constructor(
    message: string,
    /** Whether the file does not exist. */
    readonly isMissing = false,
  ) {
    super(message);
    this.name = "FileError";
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST: "a part of its path is a file, not a folder",
  EACCES: "the permission is missing",
  EPERM: "the permission is missing",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENAMETOOLONG: "its name is too long",
};

/** Describes in plain words why a file cannot be read or written. */
export const describeFileError = ({ code = "", message }: NodeJS.ErrnoException): string =>
  reasons[code] ?? message;

/** Reads a file. Rejects with a FileError, which calls the file `name`. */
export const readFileBytes = (file: string, name = file): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new FileError(`${name} cannot be read: ${describeFileError(error)}`, error.code === "ENOENT");
  });

/** Reads a text in UTF-8, or in the encoding that its byte order mark names. Rejects with a FileError. */
export const readTextFile = async (file: string, name = file): Promise<string> =>
  decodeText(await readFileBytes(file, name));

/** Reads a JSON document. Rejects with a FileError. */
export const readJsonFile = async (file: string, name = file): Promise<unknown> =>
  parseJsonFile(await readTextFile(file, name), name);

/** Decodes a text and removes its byte order mark. UTF-16 is supported because Windows PowerShell writes it. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!isUtf16) return new TextDecoder().decode(bytes);
  return new TextDecoder(first === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
}

/** Parses the text of a JSON document. Throws a FileError, which calls the file `name`. */
export function parseJsonFile(text: string, name: string): unknown {
  refuseEmpty(text, name);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileError(`${name} is not JSON: ${(error as Error).message}`);
  }
}

/** Throws a FileError if a text contains only spaces and line breaks. */
export function refuseEmpty(text: string, name: string): void {
  if (text.trim() === "") throw new FileError(`${name} is empty`);
}
