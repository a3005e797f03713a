/** Finds the scenario that a call of the control API names. */
import * as Type from "typebox";
import { Refusal } from "../contract/errors.js";
import type { Scenario } from "../scenarios/scenario-file.js";
import type { ControlledSandbox } from "./operation.js";

export const ByName = Type.Object({ name: Type.String() });

/** Loaded on first use. */
const load = () => import("../scenarios/bundled-scenarios.js");

export async function catalogueOf({ scenarioFolder, stage }: ControlledSandbox) {
  const { ScenarioCatalogue } = await load();
  return new ScenarioCatalogue(scenarioFolder, stage.operations);
}

/** Returns the scenario of this name, or refuses with the reason. */
export async function requireScenario(name: string, sandbox: ControlledSandbox): Promise<Scenario> {
  const { UnknownScenario } = await load();
  const { InvalidScenario } = await import("../scenarios/parse-scenario.js");
  const catalogue = await catalogueOf(sandbox);
  return catalogue.read(name).catch((error: unknown) => {
    const { message } = error as Error;
    if (error instanceof UnknownScenario) throw new Refusal("resource_not_found", { param: "name", message });
    if (error instanceof InvalidScenario) throw new Refusal("validation_error", { param: "name", message });
    throw error;
  });
}
