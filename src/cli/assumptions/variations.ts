/** The alternatives to the values of assumptions in force, and the operations that they affect. */

import type { CoverageReport } from "../../client/account/types.js";
import { UnknownAssumption } from "../../contract/assumptions/assumption.js";
import {
  type Assumptions,
  assumptions,
  assumptionsOf,
  resolveAssumptions,
} from "../../service/assumptions.js";
import { serviceOperations } from "../../service/index.js";
import { checkNames, UsageError } from "../errors.js";
import { type Config, type SandboxFlags, toBehaviour } from "../sandbox-options.js";

export interface Variation {
  readonly assumption: string;
  readonly inForce: string;
  readonly alternative: string;
}

export const switchableAssumptions = assumptions.flatMap(({ id, switch: choice }) =>
  choice ? [{ id, values: [choice.default, ...Object.keys(choice.alternatives)] }] : [],
);

/** Returns every value other than those in force. Throws a UsageError for ids and values that do not exist. */
export function variationsOf(
  given: Readonly<Record<string, string | number>>,
  only: readonly string[] | null,
): Variation[] {
  const ids = switchableAssumptions.map(({ id }) => id);
  checkNames("--only", "switchable assumption", only ?? [], ids);
  const inForce: Readonly<Record<string, string>> = resolve(given);
  return switchableAssumptions
    .filter(({ id }) => only?.includes(id) ?? true)
    .flatMap(({ id, values }) =>
      values
        .filter((value) => value !== inForce[id])
        .map((alternative) => ({ assumption: id, inForce: inForce[id] as string, alternative })),
    );
}

/** Returns the values of flags and config. Throws a UsageError for ids and values that do not exist. */
export const assumptionsInForce = (flags: SandboxFlags, config: Config): Assumptions =>
  resolve(toBehaviour(flags, config).assumptions ?? {});

function resolve(given: Readonly<Record<string, string | number>>): Assumptions {
  try {
    return resolveAssumptions(given);
  } catch (error) {
    throw error instanceof UnknownAssumption ? new UsageError(error.message) : error;
  }
}

/** Returns the operations that were called, by each assumption that affects them. */
export function operationsByAssumption({
  operations,
}: CoverageReport): ReadonlyMap<string, readonly string[]> {
  const affected = new Map<string, string[]>();
  for (const { operation, calls } of operations) {
    const called = serviceOperations.find(({ id }) => id === operation);
    if (calls === 0 || !called) continue;
    for (const id of assumptionsBehind(called)) affected.set(id, [...(affected.get(id) ?? []), operation]);
  }
  return affected;
}

/** Includes all webhook assumptions if an endpoint is registered, since it may receive any event. */
function assumptionsBehind(called: (typeof serviceOperations)[number]): ReadonlySet<string> {
  const own = assumptionsOf(called);
  if (called.id !== "registerWebhook") return own;
  const ofWebhooks = switchableAssumptions.filter(({ id }) => id.startsWith("webhooks."));
  return new Set([...own, ...ofWebhooks.map(({ id }) => id)]);
}
