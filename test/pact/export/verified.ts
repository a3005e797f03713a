import { type ExportedPact, startSandbox } from "../../../src/index.js";
import { readPacts } from "../../../src/pact/verify/pact-file.js";
import { type PactReport, verifyPacts } from "../../../src/pact/verify/verify-pacts.js";
import { serviceOperations } from "../../../src/service/index.js";
import { temporaryFolder } from "../../support/program.js";
import { pactFile } from "../verify/pacts.js";

/** Verifies a pact against a sandbox of its own. */
export async function verify(
  pact: ExportedPact["pact"],
  assumptions: Readonly<Record<string, string>> = {},
): Promise<PactReport> {
  const sandbox = await startSandbox({ validateReplies: true, assumptions });
  let keys = 0;
  try {
    return await verifyPacts(await readPacts([pactFile({ ...pact }, temporaryFolder())], {}), {
      sandboxUrl: sandbox.url,
      operations: serviceOperations,
      freshKey: (mode) => `svc_${mode}_verified_${++keys}`,
    });
  } finally {
    await sandbox.close();
  }
}

/** Returns the problems of failed interactions, by description. */
export const failures = ({ interactions }: PactReport): Record<string, string[]> =>
  Object.fromEntries(
    interactions
      .filter(({ result }) => result === "failed")
      .map(({ description, problems }) => [description, problems]),
  );
