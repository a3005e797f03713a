/** Loads a scenario into an account when the sandbox begins to listen. */

import { ScenarioCatalogue } from "../scenarios/bundled-scenarios.js";
import { loadScenario } from "../scenarios/load-scenario.js";
import type { Account } from "../world/account/account.js";
import type { ControlledSandbox } from "./operation.js";

/** Leaves an account alone that has been used: a restart must not empty it. */
export async function loadAtStart(sandbox: ControlledSandbox, account: Account, name: string): Promise<void> {
  if (!account.untouched) return;
  const { stage, scenarioFolder } = sandbox;
  const scenario = await new ScenarioCatalogue(scenarioFolder, stage.operations).read(name);
  await loadScenario(account, stage, name, scenario, { keep: false, activity: null });
}
