/** Entry point of the process that runs Pact's verifier: receives its options and sends its result over IPC. */
import { createRequire } from "node:module";
import type { VerifierOptions } from "@pact-foundation/pact-core";

// pact-core is CommonJS; import() exposes neither its named exports nor the right default.
const { default: pact } = createRequire(import.meta.url)("@pact-foundation/pact-core") as {
  default: { verifyPacts(options: VerifierOptions): Promise<string> };
};

process.once("message", async (options: VerifierOptions) => {
  const text = await pact.verifyPacts(options).catch((error: Error) => error.message);
  try {
    process.send?.({ result: JSON.parse(text) });
  } catch {
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
  process.disconnect();
});
