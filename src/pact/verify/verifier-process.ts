/** Entry point of the process that runs Pact's verifier: receives its options and sends its result over IPC. */
import { createRequire } from "node:module";
import type { VerifierOptions } from "@pact-foundation/pact-core";
import { asNotInstalled } from "../../contract/optional-packages.js";

// pact-core is CommonJS; import() exposes neither its named exports nor the right default.
const load = () =>
  createRequire(import.meta.url)("@pact-foundation/pact-core") as {
    default: { verifyPacts(options: VerifierOptions): Promise<string> };
  };

/** Returns the verifier's report as JSON, or the message with which it failed. */
async function verify(options: VerifierOptions): Promise<string> {
  const { default: pact } = load();
  return await pact.verifyPacts(options).catch((error: Error) => error.message);
}

process.once("message", async (options: VerifierOptions) => {
  let text = "";
  try {
    text = await verify(options);
    process.send?.({ result: JSON.parse(text) });
  } catch (error) {
    const missing = asNotInstalled(error);
    if (missing) process.send?.({ notInstalled: missing.message });
    process.stderr.write(`${text || String(error)}\n`);
    process.exitCode = 1;
  }
  process.disconnect();
});
