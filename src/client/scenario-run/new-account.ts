/** Runs a scenario on an account of its own, for callers without an API key. */

import type { Scenario } from "../../scenarios/scenario-file.js";
import type { ClientOptions } from "../client.js";
import { runScenario } from "./run-scenario.js";

/**
 * Reports `{account}`, each step as it ends, and the result without its steps. Rejects if the scenario cannot be
 * loaded.
 */
export async function runOnNewAccount(
  connection: ClientOptions,
  accountId: string,
  scenario: Scenario,
  report: (line: object) => void,
): Promise<void> {
  report({ account: accountId });
  const { steps: _steps, ...result } = await runScenario(connection, scenario, { onStep: report });
  report(result);
}
