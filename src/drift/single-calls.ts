/** Scenarios of one call each, which reach an operation at the lowest cost. */
import { exampleBody, exampleQuery } from "../pact/examples.js";
import type { Scenario } from "../scenarios/scenario-file.js";
import type { Step } from "../scenarios/steps.js";
import { serviceOperations } from "../service/index.js";

/** Operations of which one call alone has a meaning: they need no record and no file. */
const alone: readonly string[] = [
  "verifyBvn",
  "verifyNin",
  "verifyFrsc",
  "getUsage",
  "getPricing",
  "generateLogo",
  "listAudits",
  "scanText",
  "listMediaScans",
];

export const singleCalls = (): { name: string; scenario: Scenario }[] =>
  serviceOperations
    .filter(({ id }) => alone.includes(id))
    .map((operation) => {
      const body = exampleBody(operation);
      const query = exampleQuery(operation);
      const step = {
        call: operation.route,
        ...(body ? { body } : {}),
        ...(Object.keys(query).length > 0 ? { query } : {}),
      };
      return { name: `${operation.id} alone`, scenario: { name: operation.id, steps: [step as Step] } };
    });
