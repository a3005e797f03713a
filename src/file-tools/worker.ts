/** Entry point of a conversion thread. Converts one file at a time, so that the main thread keeps serving requests. */
import { parentPort } from "node:worker_threads";
import { asNotInstalled } from "../contract/optional-packages.js";
import { type Conversion, ConversionReport, UnreadableFileError } from "./engine.js";
import { type EngineName, engines } from "./engines.js";

export interface ConversionTask {
  engine: EngineName;
  bytes: Uint8Array;
  options: object;
}

export type ConversionResult =
  | Conversion
  | { unreadable: string }
  | { notInstalled: string }
  | { failed: string };

/** A result, and whether the thread should end after it. */
export type ThreadResult = ConversionResult & { endsThread: boolean };

// Newer versions of Node print a warning when a library looks for the storage of browsers, as docx does.
Reflect.deleteProperty(globalThis, "localStorage");

parentPort?.on("message", async ({ engine, bytes, options }: ConversionTask) => {
  const report = new ConversionReport();
  const result = await convert(engine, bytes, options, report);
  const transferList = "bytes" in result ? [result.bytes.buffer as ArrayBuffer] : [];
  parentPort?.postMessage({ ...result, endsThread: report.endsThread } satisfies ThreadResult, transferList);
});

async function convert(
  name: EngineName,
  bytes: Uint8Array,
  options: object,
  report: ConversionReport,
): Promise<ConversionResult> {
  try {
    const engine = await engines[name]();
    const converted = await engine(bytes, options as never, report);
    const { confidence } = report;
    // A copy can be transferred. Engines return views of larger buffers, or buffers of native code, which cannot.
    return { bytes: new Uint8Array(converted), confidence, leftOut: report.describeLeftOut() };
  } catch (error) {
    if (error instanceof UnreadableFileError) return { unreadable: error.message };
    const notInstalled = asNotInstalled(error);
    if (notInstalled) return { notInstalled: notInstalled.message };
    return { failed: error instanceof Error ? String(error.stack) : String(error) };
  }
}
