/** Makes a scenario, a test or a pact of an HTTP archive. */
import { FileError, readJsonFile } from "../../contract/read-file.js";
import { NotAnArchive, readArchive } from "../../drift/record/har.js";
import { resolveAssumptions } from "../../service/assumptions.js";
import { writeExchanges } from "./write-exchanges.js";
import type { RecordingOutput } from "./write-recording.js";

/** Rejects with a FileError that says what is wrong with the archive. */
export async function recordArchive(file: string, output: RecordingOutput): Promise<void> {
  const archive = await readArchive(await readJsonFile(file)).catch((error: unknown) => {
    throw error instanceof NotAnArchive ? new FileError(`${file} ${error.message}`) : error;
  });
  await writeExchanges(archive, resolveAssumptions(), output);
}
