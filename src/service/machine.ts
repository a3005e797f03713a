/** Defines the state machines of the service, and reads the input of moves. */

import * as Type from "typebox";
import { refuse } from "../contract/errors.js";
import type { Account } from "../world/account/account.js";
import { machineFor, recordFor } from "../world/records/machine.js";
import type { EventKind } from "./webhooks/events.js";

/** Schema of a stored time, in ms on the account's clock. */
export const Ms = Type.Integer();

/** `record(Schema, { hidden, view })` derives a record from the schema of the reply that shows it. */
export const record = recordFor<Account>();

/** `machine(record, { name, prefix, moves })` defines a machine whose records are of this kind. */
export const machine = machineFor<Account, EventKind>();

// Reads the input of moves. It comes from the control API, which does not know its shape.

/** Returns a field of the input; undefined if the input has no such field or is not an object. */
export const inputField = (input: unknown, name: string): unknown =>
  (input as Readonly<Record<string, unknown>> | null | undefined)?.[name];

/** Returns the value if it is a number from `min` to `max`. Refuses with 400 validation_error otherwise. */
export function readNumber(param: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && value >= min && value <= max) return value;
  return refuseInput(param, `a number from ${min} to ${max}`, value);
}

/** Like `readNumber`, for whole numbers. */
export function readInteger(param: string, value: unknown, min: number, max: number): number {
  if (Number.isInteger(value)) return readNumber(param, value, min, max);
  return refuseInput(param, `a whole number from ${min} to ${max}`, value);
}

/** Refuses with 400 validation_error: "<param> must be <rule>; got <value>." */
export function refuseInput(param: string, rule: string, value: unknown): never {
  const shown = (JSON.stringify(value) ?? "nothing").slice(0, 60);
  return refuse("validation_error", { param, message: `${param} must be ${rule}; got ${shown}.` });
}
