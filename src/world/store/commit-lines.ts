/** The lines of commits in an account's journal, before they are sealed. */
import { continued } from "./journal.js";
import type { Change } from "./state.js";

/** Length in characters from which a commit is continued on another line. */
const maxLineLength = 64 * 1024;

/** Yields the lines of a commit: a single one, unless the commit is long. */
export function* commitLines(changes: Iterable<Change>): Generator<string> {
  let line = "";
  for (const change of changes) {
    if (line.length >= maxLineLength) {
      yield `["${continued}"${line}]\n`;
      line = "";
    }
    line += `,["${change[0]}",${JSON.stringify(change[1])},${change[2] ?? "null"}]`;
  }
  yield `[${line.slice(1)}]\n`;
}
