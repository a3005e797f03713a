/** Runs Pact's own verifier in a process of its own: it prints as it likes, and native code may end its process. */
import { fork } from "node:child_process";
import type { VerifierOptions } from "@pact-foundation/pact-core";

/** What the verifier says of a run, as far as it is read. */
export interface CoreResult {
  result: boolean;
  interactionResults: {
    description: string;
    interactionKey: string | null;
    result: string;
    duration: string;
  }[];
  errors: CoreError[];
  pendingErrors: CoreError[];
  notices: { text?: string }[];
  /** What it prints for people. */
  output: string[];
}

export interface CoreError {
  interaction: string;
  mismatch: { type: "mismatches"; mismatches: CoreMismatch[] } | { type: "error"; message: string };
}

export interface CoreMismatch {
  type: string;
  path?: string;
  key?: string;
  expected?: unknown;
  actual?: unknown;
  mismatch?: string;
}

export interface CoreRun {
  result: CoreResult;
  /** What it printed. */
  output: string;
}

/** The verifier could not do its work. */
export class CoreFailure extends Error {}

/** Bundles lie in dist/bundle/; sources that run as they are use what was built last. */
const processFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/bundle/pact-verifier.js" : "./pact-verifier.js",
  import.meta.url,
);

/**
 * The verifier takes more from its environment than it is told: filters that would leave interactions out unsaid, a
 * proxy for this machine too; and it reports its use to its makers unless it is asked not to.
 */
function environment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("PACT_"));
  const direct = [process.env.NO_PROXY ?? process.env.no_proxy ?? [], "127.0.0.1"].flat().join(",");
  return { ...Object.fromEntries(ours), PACT_DO_NOT_TRACK: "true", NO_PROXY: direct, no_proxy: direct };
}

export function runCore(options: VerifierOptions): Promise<CoreRun> {
  return new Promise((resolve, reject) => {
    const child = fork(processFile, { stdio: ["ignore", "pipe", "pipe", "ipc"], env: environment() });
    let output = "";
    let result: CoreResult | null = null;
    const note = (part: Buffer) => {
      output += part.toString("utf8");
    };
    child.stdout?.on("data", note);
    child.stderr?.on("data", note);
    child.on("message", (message: { result?: CoreResult }) => {
      if (message.result) result = message.result;
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (result) resolve({ result, output });
      else
        reject(
          new CoreFailure(
            `Pact's verifier ended with ${signal ?? `code ${code}`}: ${output.trim().slice(-2_000)}`,
          ),
        );
    });
    child.send(options);
  });
}
