/** Gathers long texts piece by piece, in turns of the event loop. */
import { inTurns } from "../../time/turns.js";

/** Length of a piece in characters. */
const pieceLength = 64 * 1024;

/** Returns the UTF-8 bytes of a text given in many parts. */
export const gatherText = (parts: Iterable<string>): Buffer[] | Promise<Buffer[]> => inTurns(gather(parts));

function* gather(parts: Iterable<string>): Generator<void, Buffer[]> {
  const pieces: Buffer[] = [];
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length >= pieceLength) {
      pieces.push(Buffer.from(text));
      text = "";
    }
    yield;
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

/** Formats a member of a JSON object, whose value is given as JSON text. */
export const formatMember = (key: string, text: string): string => `${JSON.stringify(key)}:${text}`;

/** Yields the texts of the items of a JSON list, or of the members of an object, with commas between them. */
export function* withCommas<T>(
  items: Iterable<T>,
  format: (item: T) => string = JSON.stringify,
): Generator<string> {
  let comma = "";
  for (const item of items) {
    yield comma + format(item);
    comma = ",";
  }
}
