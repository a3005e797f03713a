/** The process in which Pact's verifier runs: options in, result out, whatever else it prints goes to its streams. */
import { createRequire } from "node:module";
import type { VerifierOptions } from "@pact-foundation/pact-core";

// CommonJS whose default export hides its own under Node.
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
