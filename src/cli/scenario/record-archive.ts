/** Makes a scenario, a test or a pact of an HTTP archive. */
import { readFile } from "node:fs/promises";
import { NotAnArchive, type ReadArchive, readArchive } from "../../drift/record/har.js";
import { resolveAssumptions } from "../../service/assumptions.js";
import { UsageError } from "../errors.js";
import { writeExchanges } from "./write-exchanges.js";
import type { RecordingOutput } from "./write-recording.js";

export const recordArchive = async (file: string, output: RecordingOutput): Promise<void> =>
  writeExchanges(await read(file), resolveAssumptions(), output);

/** Reads the archive. Rejects with a UsageError that says what is wrong with the file. */
async function read(file: string): Promise<ReadArchive> {
  try {
    return await readArchive(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (error instanceof NotAnArchive) throw new UsageError(`${file} ${error.message}`);
    if (error instanceof SyntaxError) throw new UsageError(`${file} is no JSON: ${error.message}`);
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
