/** The outcomes of operations, and the outcome that a request header names. */

import { refuse } from "../contract/errors.js";
import { type AnyOperation, commonOutcomes, type Decision } from "../contract/operation.js";
import type { UploadedFile } from "../contract/upload.js";

/** A request, as rules and test values see it. */
export interface Input {
  path: string;
  params: unknown;
  query: Record<string, unknown>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
  files: Readonly<Record<string, UploadedFile>>;
}

export const outcomeHeader = "x-sandbox-outcome";

/** Returns the outcomes of an operation with their descriptions, its own before the common ones. */
export const outcomesOf = (operation: Pick<AnyOperation, "outcomes">): Record<string, string> => ({
  ...operation.outcomes,
  ...commonOutcomes,
});

/** Returns the first outcome that the operation declares, or null. */
export const defaultOutcome = ({ outcomes }: AnyOperation): string | null => Object.keys(outcomes)[0] ?? null;

/** Returns the outcome that the request header names. Refuses a name that the operation does not have. */
export function requestedOutcome(operation: AnyOperation, headers: Input["headers"]): Decision | null {
  const header = headers[outcomeHeader];
  if (header === undefined) return null;
  const outcome = String(header).trim();
  const known = Object.keys(outcomesOf(operation));
  if (!known.includes(outcome)) {
    const message = `${operation.id} has no outcome ${JSON.stringify(outcome)}; it has ${known.join(", ")}.`;
    refuse("unknown_outcome", { param: "X-Sandbox-Outcome", message });
  }
  return { outcome, by: "header" };
}

/** Returns why the request cannot have this outcome; undefined if it can, or if there is no outcome. */
export const describeImpossible = (
  operation: AnyOperation,
  outcome: string | null | undefined,
  input: Pick<Input, "body">,
): string | undefined =>
  outcome === null || outcome === undefined ? undefined : operation.impossible?.(outcome, input);

/** Refuses an outcome that the header names and the request cannot have. */
export function refuseImpossible(
  operation: AnyOperation,
  requested: Decision | null,
  input: Pick<Input, "body">,
): void {
  const reason = describeImpossible(operation, requested?.outcome, input);
  if (reason === undefined) return;
  const message = `This request cannot have the outcome ${requested?.outcome}: ${reason}.`;
  refuse("unknown_outcome", { param: "X-Sandbox-Outcome", message });
}

/** Formats a decision for the reply's header: `sms_failed; by=rule`. */
export const formatDecision = ({ outcome, by }: Decision): string => `${outcome ?? "none"}; by=${by}`;
