/** A zip that takes file after file; the same files make the same bytes. */
import { Zip, ZipPassThrough } from "fflate";

/** In no time zone, as zips count. */
const mtime = "1980-01-01T00:00:00";

export class Archive {
  readonly #chunks: Uint8Array[] = [];
  readonly #zip = new Zip((error, chunk) => {
    if (error) throw error;
    this.#chunks.push(chunk);
  });

  /** Stored: pictures are compressed already. */
  add(path: string, bytes: Uint8Array): void {
    const file = Object.assign(new ZipPassThrough(path), { mtime });
    this.#zip.add(file);
    file.push(bytes, true);
  }

  /** The whole zip; nothing can follow. */
  end(): Uint8Array {
    this.#zip.end();
    const whole = new Uint8Array(this.#chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of this.#chunks.splice(0)) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}
