/** The other answers to what the interface leaves open, one at a time, and what a run had to do with them. */
import { assumptions, resolveAssumptions, UnknownAssumption } from "../../contract/assumptions.js";
import { assumptionsOf } from "../../contract/touched.js";
import type { CoverageReport } from "../../library/types.js";
import { serviceOperations } from "../../service/index.js";
import { UsageError } from "../config.js";

export interface Variation {
  readonly assumption: string;
  readonly inForce: string;
  readonly alternative: string;
}

const switches = assumptions.flatMap(({ id, switch: choice }) =>
  choice ? [{ id, values: [choice.default, ...Object.keys(choice.alternatives)] }] : [],
);

/** Every switch has named values, so each value beside the one in force is an alternative. */
export function variationsOf(
  given: Readonly<Record<string, string>>,
  only: readonly string[] | null,
): Variation[] {
  const unknown = only?.find((id) => !switches.some((known) => known.id === id));
  if (unknown !== undefined) {
    const known = switches.map(({ id }) => id).join(", ");
    throw new UsageError(`--only has no assumption ${unknown}; those that can be switched: ${known}`);
  }
  const inForce = resolve(given);
  return switches
    .filter(({ id }) => only?.includes(id) ?? true)
    .flatMap(({ id, values }) =>
      values
        .filter((value) => value !== inForce[id])
        .map((alternative) => ({ assumption: id, inForce: inForce[id] as string, alternative })),
    );
}

function resolve(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return resolveAssumptions(given);
  } catch (error) {
    throw error instanceof UnknownAssumption ? new UsageError(error.message) : error;
  }
}

/** By assumption: the operations that were called and that it shapes. */
export function touchedIn({ operations }: CoverageReport): ReadonlyMap<string, readonly string[]> {
  const touched = new Map<string, string[]>();
  for (const { operation, calls } of operations) {
    const called = serviceOperations.find(({ id }) => id === operation);
    if (calls === 0 || !called) continue;
    for (const id of shaping(called)) touched.set(id, [...(touched.get(id) ?? []), operation]);
  }
  return touched;
}

/** A registered endpoint may get any event, also one that was triggered by hand. */
function shaping(called: (typeof serviceOperations)[number]): ReadonlySet<string> {
  const own = assumptionsOf(called);
  if (called.id !== "registerWebhook") return own;
  return new Set([...own, ...switches.map(({ id }) => id).filter((id) => id.startsWith("webhooks."))]);
}
