/** Files that an operation takes as multipart fields. */
import type { GeneralAssumptions } from "./assumptions/general.js";

export interface UploadField {
  /** Maximum size in MB; see `bytesPerMB`. */
  maxMB: number;
  /** Accepted media types, read from the file's bytes; others are refused with 415. Default: any. */
  types?: readonly string[];
  /** Returns the media type of a file whose first bytes match no known type. */
  recognize?(start: Uint8Array): string | null;
  description?: string;
  /** Maximum pixels (width × height) in the picture's header. A picture whose header has no size is refused too. */
  maxPixels?: number;
  /** Creates an inspector that reads the bytes as they stream through. */
  inspect?(): FileInspector;
  /** Whether the bytes are passed to the handler. By default, they are counted, sniffed, hashed and discarded. */
  keep?: true;
}
export type Upload = Readonly<Record<string, UploadField>>;

/** Returns the number of bytes in a MB, by assumption uploads.megabyte. */
export const bytesPerMB = (assumptions: GeneralAssumptions): number =>
  assumptions["uploads.megabyte"] === "decimal" ? 1_000_000 : 1024 * 1024;

export interface FileInspector {
  see(chunk: Uint8Array): void;
  /** Returns the findings, which become the file's `inspected`. */
  end(): unknown;
}

/** A file that has been received in full. */
export interface UploadedFile {
  filename: string;
  /** Media type read from the bytes. Null if they match none. */
  type: string | null;
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the bytes in lowercase hex. */
  sha256: string;
  /** Bytes of the file. Null unless the field has `keep`. */
  bytes: Uint8Array | null;
  /** Findings of the field's inspector. */
  inspected: unknown;
  /** The bytes, kept in memory for recordings until they are dropped. */
  kept?: { bytes: Uint8Array | null };
}
