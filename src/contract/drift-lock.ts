/** `drift.lock.json`: the observations of the real service by `standin drift`, with their times. */
import * as Type from "typebox";
import { parseJsonFile } from "./read-file.js";
import { exactly, nullable, Timestamp } from "./schemas.js";

const ObservedAssumption = exactly({
  verdict: Type.Enum(["confirmed", "contradicted", "neither"]),
  /** Value of the service; null if it has none of the values. */
  observed: nullable(Type.String()),
  checked_at: Timestamp,
  /** Requests and statuses that show it, without values. */
  evidence: Type.Array(Type.String()),
});

const ObservedOperation = exactly({
  verdict: Type.Enum(["same", "differs"]),
  checked_at: Timestamp,
  /** Where replies differ. */
  findings: Type.Array(Type.String()),
});

const ObservedCheck = exactly({
  kind: Type.String(),
  verdict: Type.Enum(["confirmed", "contradicted"]),
  /** Value that the service shows. */
  observed: Type.String(),
  /** The question that was asked. */
  how: Type.String(),
  checked_at: Timestamp,
});

const DriftLockSchema = exactly({
  version: Type.Literal(1),
  /** Origin of the service. */
  against: Type.String(),
  assumptions: Type.Record(Type.String(), ObservedAssumption),
  /** Errors, limits, prices, states and webhooks. Locks of earlier versions have none. */
  checks: Type.Optional(Type.Record(Type.String(), ObservedCheck)),
  operations: Type.Record(Type.String(), ObservedOperation),
});
export type DriftLock = Type.Static<typeof DriftLockSchema>;

export const defaultLockFile = "drift.lock.json";

/** Parses a lock file. Throws an Error that says what is wrong with it. */
export async function parseLock(text: string): Promise<DriftLock> {
  const { compileValidator, detailsOf } = await import("./validate.js");
  const lock: unknown = parseJsonFile(text, "it");
  const validate = await compileValidator(DriftLockSchema);
  if (!validate(lock))
    throw new Error(
      detailsOf(validate)
        .map(({ message }) => message)
        .join(" "),
    );
  return lock as DriftLock;
}

/** When an assumption was checked against the service, and which value the service has. */
export interface Validation {
  readonly checked_at: string;
  /** Age in words, such as `3 days ago`. */
  readonly age: string;
  /** Value of the service. Null if it has none of the values. */
  readonly observed: string | null;
}

/** Returns the validation of an assumption; null if it was never checked. */
export type FindValidation = (id: string) => Validation | null;
