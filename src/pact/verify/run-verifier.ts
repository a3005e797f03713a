/** Runs Pact's verifier in a child process: it prints to stdout, and its native code may crash the process. */
import { fork } from "node:child_process";
import type { VerifierOptions } from "@pact-foundation/pact-core";
import { withoutProxy } from "../../client/without-proxy.js";
import { NotInstalled } from "../../contract/optional-packages.js";

/** Options of Pact's verifier that select pacts of a broker. */
export type BrokerOptions = Pick<VerifierOptions, "provider" | "pactBrokerUrl"> & Partial<VerifierOptions>;

/** A message of the broker about a pact. */
export interface Notice {
  text?: string;
  /** When it applies, such as `before_verification`. */
  when?: string;
}

/** The fields of the verifier's result that are read. */
export interface VerifierResult {
  result: boolean;
  interactionResults: {
    description: string;
    interactionKey: string | null;
    result: string;
    duration: string;
  }[];
  errors: VerifierError[];
  pendingErrors: VerifierError[];
  /** Lines of its human-readable report. */
  output: string[];
}

export interface VerifierError {
  interaction: string;
  mismatch: { type: "mismatches"; mismatches: Mismatch[] } | { type: "error"; message: string };
}

export interface Mismatch {
  type: string;
  path?: string;
  key?: string;
  expected?: unknown;
  actual?: unknown;
  mismatch?: string;
}

export interface VerifierRun {
  result: VerifierResult;
  /** Everything the process wrote to stdout and stderr. */
  output: string;
}

/** The verifier could not run to its end. */
export class VerifierFailure extends Error {}

/** The bundle in dist/. When run from source, the bundle of the last build. */
const processFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/bundle/pact-verifier.js" : "./pact-verifier.js",
  import.meta.url,
);

/**
 * Returns the environment of the verifier. PACT_* variables are removed because some of them filter interactions out
 * silently; a proxy must not apply to the local gateway; usage reporting is turned off.
 */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("PACT_"));
  return { ...Object.fromEntries(kept), PACT_DO_NOT_TRACK: "true", ...withoutProxy("127.0.0.1") };
}

/** Runs the verifier. Rejects with NotInstalled, or with a VerifierFailure if the process ends without a result. */
export function runVerifier(options: VerifierOptions): Promise<VerifierRun> {
  return new Promise((resolve, reject) => {
    const child = fork(processFile, { stdio: ["ignore", "pipe", "pipe", "ipc"], env: environment() });
    let output = "";
    let result: VerifierResult | null = null;
    const collect = (chunk: Buffer) => {
      output += chunk.toString("utf8");
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.on("message", (message: { result?: VerifierResult; notInstalled?: string }) => {
      if (message.result) result = message.result;
      if (message.notInstalled) reject(new NotInstalled(message.notInstalled));
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (result) return resolve({ result, output });
      const end = `Pact's verifier ended with ${signal ?? `code ${code}`}`;
      reject(new VerifierFailure(`${end}: ${output.trim().slice(-2_000)}`));
    });
    child.send(options);
  });
}
