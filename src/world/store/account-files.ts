/** The files of an account's folder. */
import { existsSync, statSync } from "node:fs";

export const documentFile = "state.json";
export const journalFile = "journal.ndjson";
/** Journal of a compaction that is in progress or was interrupted. It is read before the current one. */
export const foldingFile = "journal.folding.ndjson";

export const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);
