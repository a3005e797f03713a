/** What a file tool's engine is: bytes in, bytes out. Engines know no account, and run in a thread of their own. */

/** Resolves to the converted file; rejects with Unreadable when the file is the reason. */
export type Engine<Options> = (bytes: Uint8Array, options: Options) => Promise<Uint8Array>;

/** The file cannot be converted; the message says why, and what would be right, in one sentence without its full stop. */
export class Unreadable extends Error {
  override name = "Unreadable";
}
