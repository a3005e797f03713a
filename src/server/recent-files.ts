/**
 * The newest uploaded files, for recordings. They are in memory only. Large files are not kept, and the oldest files
 * are dropped first.
 */
import type { UploadedFile } from "../contract/upload.js";
import type { CallResult } from "../world/activity/activity.js";

/** Maximum size in bytes of a file that is kept. */
export const maxRecentFileBytes = 1024 * 1024;
/** Maximum total size in bytes of the files that the process keeps. */
const maxBytes = 32 * maxRecentFileBytes;

interface KeptBytes {
  bytes: Uint8Array | null;
}

class RecentFiles {
  /** Kept files, oldest first. A file whose call is no longer kept leaves memory earlier. */
  readonly #files: { kept: WeakRef<KeptBytes>; size: number }[] = [];
  #size = 0;

  /** Keeps a file of these chunks. The list is empty if the file was too large. */
  keep(chunks: readonly Uint8Array[]): KeptBytes {
    if (chunks.length === 0) return { bytes: null };
    const bytes = Buffer.concat(chunks);
    const kept: KeptBytes = { bytes };
    this.#files.push({ kept: new WeakRef(kept), size: bytes.length });
    this.#size += bytes.length;
    while (this.#size > maxBytes) this.#dropOldest();
    return kept;
  }

  #dropOldest(): void {
    const oldest = this.#files.shift();
    if (!oldest) return;
    this.#size -= oldest.size;
    const kept = oldest.kept.deref();
    if (kept) kept.bytes = null;
  }
}

/** The files of all sandboxes of the process. */
export const recentFiles = new RecentFiles();

/** Returns the form of a call. */
export const uploadedFormOf = (
  fields: unknown,
  files: Readonly<Record<string, UploadedFile>>,
): NonNullable<CallResult["form"]> => ({
  fields: { ...(fields as Record<string, unknown> | undefined) },
  files: Object.entries(files).map(([field, { filename, type, sha256, kept = { bytes: null } }]) => ({
    field,
    filename,
    type,
    sha256,
    kept,
  })),
});
