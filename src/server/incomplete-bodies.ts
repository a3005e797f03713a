/** Limits the memory of long bodies that are still arriving, over all requests: files, snapshots and JSON. */
import { Refusal } from "../contract/errors.js";

/** Bodies that stop halfway keep their bytes until the request times out. */
export const maxIncompleteBytes = 128 * 1024 * 1024;

let totalBytes = 0;

/** The bytes of a body that are kept in memory while the rest arrives. */
export class IncompleteBody {
  #bytes = 0;

  /** A body of up to `largest` bytes fits if no other is on its way. */
  constructor(readonly largest = 0) {}

  /** Counts bytes, and returns a refusal if all bodies together have too many. */
  hold(bytes: number): Refusal | null {
    totalBytes += bytes;
    this.#bytes += bytes;
    const limit = Math.max(maxIncompleteBytes, this.largest);
    if (totalBytes <= limit) return null;
    return new Refusal("storage_unavailable", {
      message: `Bodies of requests on their way already fill the ${limit / 1024 / 1024} MB that this sandbox has for them; try again.`,
    });
  }

  release(): void {
    totalBytes -= this.#bytes;
    this.#bytes = 0;
  }
}
