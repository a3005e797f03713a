/** The thread in which engines run: one file at a time, so that the main thread goes on serving. */
import { parentPort } from "node:worker_threads";
import { asNotInstalled } from "../contract/optional-packages.js";
import { Unreadable } from "./engine.js";
import { type EngineName, engines } from "./engines.js";

export interface Task {
  engine: EngineName;
  bytes: Uint8Array;
  options: object;
}

export type Done =
  | { bytes: Uint8Array }
  | { unreadable: string }
  | { notInstalled: string }
  | { failed: string };

parentPort?.on("message", async ({ engine, bytes, options }: Task) => {
  const done = await convert(engine, bytes, options);
  const transferred = "bytes" in done ? [done.bytes.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(done, transferred);
});

async function convert(name: EngineName, bytes: Uint8Array, options: object): Promise<Done> {
  try {
    const engine = await engines[name]();
    const converted = await engine(bytes, options as never);
    // A view of a larger buffer cannot be handed over alone.
    const isWhole = converted.byteLength === converted.buffer.byteLength;
    return { bytes: isWhole ? converted : new Uint8Array(converted) };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    const notInstalled = asNotInstalled(error);
    if (notInstalled) return { notInstalled: notInstalled.message };
    return { failed: error instanceof Error ? String(error.stack) : String(error) };
  }
}
