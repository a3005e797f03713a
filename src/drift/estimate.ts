/** Estimates what scenarios call and cost, and chooses few that reach many operations. */
import type { AnyOperation } from "../contract/operation.js";
import type { Fields } from "../scenarios/given-sections.js";
import { hasReference } from "../scenarios/references.js";
import { priceOf } from "../service/prices.js";
import type { PlannedScenario, PlannedStep } from "./plan-scenario.js";

export interface Estimate {
  readonly calls: number;
  /** In naira, at the list price. */
  readonly cost: number;
  /** Time that has to pass beside the calls, in ms. */
  readonly passesMs: number;
}

/** Returns the calls of one round, their price and the time that passes. */
export function estimateScenarios(scenarios: readonly PlannedScenario[]): Estimate {
  let calls = 0;
  let cost = 0;
  let passesMs = 0;
  for (const step of scenarios.flatMap(({ steps }) => steps)) {
    if (step.kind === "wait") passesMs += step.ms;
    if (step.kind !== "call") continue;
    calls++;
    cost += priceOfStep(step);
  }
  return { calls, cost, passesMs };
}

function priceOfStep({ operation, input }: PlannedStep & { kind: "call" }): number {
  const { price } = operation;
  if (price === undefined) return 0;
  if (typeof price === "string") return priceOf(price).price;
  const { fields = {}, query = {} } = input({});
  const body = hasReference(fields) ? {} : fields;
  const key = (price as (call: { body: Fields; query: Fields }) => string | null)({ body, query });
  return key === null ? 0 : priceOf(key).price;
}

/** Naira that count as one more step when scenarios are chosen. */
const nairaPerStep = 20;

/**
 * Chooses a few cheap scenarios, greedily, that together reach every operation of the groups that any scenario reaches.
 * `fits` says whether a scenario can be added to the chosen ones.
 */
export function coveringScenarios(
  scenarios: readonly PlannedScenario[],
  isWanted: (operation: AnyOperation) => boolean,
  fits: (chosen: readonly PlannedScenario[], next: PlannedScenario) => boolean,
): PlannedScenario[] {
  const reached = new Set<string>();
  const chosen: PlannedScenario[] = [];
  const gain = (scenario: PlannedScenario) =>
    new Set(wantedIn(scenario, isWanted).filter((id) => !reached.has(id))).size /
    (1 + scenario.steps.length + estimateScenarios([scenario]).cost / nairaPerStep);
  for (;;) {
    const [best] = scenarios.filter((scenario) => fits(chosen, scenario)).sort((a, b) => gain(b) - gain(a));
    if (!best || gain(best) === 0) return chosen;
    chosen.push(best);
    for (const id of wantedIn(best, isWanted)) reached.add(id);
  }
}

const wantedIn = ({ steps }: PlannedScenario, isWanted: (operation: AnyOperation) => boolean): string[] =>
  steps.flatMap((step) => (step.kind === "call" && isWanted(step.operation) ? [step.operation.id] : []));
