/** Makes a scenario, a test or a pact of an HTTP archive. */
import { readFile } from "node:fs/promises";
import { resolveAssumptions } from "../../contract/assumptions.js";
import { NotAnArchive, type ReadArchive, readArchive } from "../../drift/record/har.js";
import { recordExchanges } from "../../drift/record/record-scenario.js";
import { exportRequests } from "../../pact/export/export-requests.js";
import { inlineFiles } from "../../scenarios/record/inline-files.js";
import { serviceOperations } from "../../service/index.js";
import { UsageError } from "../errors.js";
import { isOnePiece, type RecordingOutput, writePact, writeScenario } from "./write-recording.js";

export async function recordArchive(archive: string, output: RecordingOutput): Promise<void> {
  const { exchanges, leftOut, ...about } = await read(archive);
  if (output.as === "pact") {
    const entries = exchanges.map(({ entry }) => entry).reverse();
    const mode = about.live ? ("live" as const) : ("test" as const);
    const traffic = { entries, operations: serviceOperations, assumptions: resolveAssumptions(), mode };
    const { pact, left_out } = exportRequests(traffic, { consumer: "client", provider: "service" });
    return writePact({ pact, left_out: [...leftOut, ...left_out] }, output);
  }
  const recording = await recordExchanges(exchanges, about);
  const { scenario, files, left_out } = isOnePiece(output) ? inlineFiles(recording) : recording;
  await writeScenario({ scenario: { ...scenario }, files, left_out: [...leftOut, ...left_out] }, output);
}

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
