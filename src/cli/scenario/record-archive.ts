/** Makes a scenario, a test or a pact of an HTTP archive. */
import { FileError, readJsonFile } from "../../contract/read-file.js";
import type { PassedExchange } from "../../drift/record/exchange.js";
import { NotAnArchive, readArchive } from "../../drift/record/har.js";
import { type DriftRecordingOptions, recordExchanges } from "../../drift/record/record-scenario.js";
import { exportRequests } from "../../pact/export/export-requests.js";
import { inlineFiles } from "../../scenarios/record/inline-files.js";
import { type Assumptions, resolveAssumptions } from "../../service/assumptions.js";
import { serviceOperations } from "../../service/index.js";
import { isOnePiece, type RecordingOutput, writePact, writeScenario } from "./write-recording.js";

/** Rejects with a FileError that says what is wrong with the archive. */
export async function recordArchive(file: string, output: RecordingOutput): Promise<void> {
  const archive = await readArchive(await readJsonFile(file)).catch((error: unknown) => {
    throw error instanceof NotAnArchive ? new FileError(`${file} ${error.message}`) : error;
  });
  await writeExchanges(archive, resolveAssumptions(), output);
}

interface Exchanged extends DriftRecordingOptions {
  readonly exchanges: readonly PassedExchange[];
  /** Requests that are not among the exchanges, and why. */
  readonly leftOut: readonly string[];
}

async function writeExchanges(
  { exchanges, leftOut, ...about }: Exchanged,
  assumptions: Assumptions,
  output: RecordingOutput,
): Promise<void> {
  if (output.as === "pact") {
    const entries = exchanges.map(({ entry }) => entry).reverse();
    const mode = about.live ? ("live" as const) : ("test" as const);
    const traffic = { entries, operations: serviceOperations, assumptions, mode };
    const { pact, left_out } = exportRequests(traffic, { consumer: "client", provider: "service" });
    return writePact({ pact, left_out: [...leftOut, ...left_out] }, output);
  }
  const recording = await recordExchanges(exchanges, about);
  const { scenario, files, left_out } = isOnePiece(output) ? inlineFiles(recording) : recording;
  await writeScenario({ scenario: { ...scenario }, files, left_out: [...leftOut, ...left_out] }, output);
}
