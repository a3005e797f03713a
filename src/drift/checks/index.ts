/** All checks, in the order in which they are made. */
import { priceOf } from "../../service/prices.js";
import { second } from "../../time/time.js";
import { type Group, groupOf } from "../groups.js";
import { operationNamed } from "../service-client.js";
import { type CheckKind, type CheckRow, checkKinds, type DriftCheck } from "./check.js";
import { errorChecks } from "./errors.js";
import { limitChecks } from "./limits.js";
import { moneyChecks } from "./money.js";
import { stateChecks } from "./state.js";
import { webhookChecks } from "./webhooks.js";

const rows: readonly CheckRow[] = [
  ...moneyChecks,
  ...errorChecks,
  ...limitChecks(),
  ...stateChecks,
  ...webhookChecks,
];

/** Prices, costs and fees are checks of money. */
function kindOf({ id }: CheckRow): CheckKind {
  const [start] = id.split(".");
  return checkKinds.find((kind) => kind === start) ?? "money";
}

export const checks: readonly DriftCheck[] = rows.map((row) => {
  const kind = kindOf(row);
  const [operation] = row.operations;
  const group = kind === "webhook" || !operation ? "webhooks" : groupOf(operationNamed(operation));
  return { ...row, kind, group };
});

export interface CheckMeans {
  readonly only: readonly Group[];
  readonly live: boolean;
  /** Whether checks that take many calls, minutes or money are made. */
  readonly slow: boolean;
  readonly receives: boolean;
  /** Longest time that may pass for one check, in ms. */
  readonly maxPassMs: number;
}

/** Returns why a check cannot be made, or null if it can. */
export function hindranceOf(
  check: DriftCheck,
  { live, slow, receives, maxPassMs }: Omit<CheckMeans, "only">,
): string | null {
  if (live) return "not checked with a live key; use a test key";
  if (check.slow && !slow) return "needs many calls, minutes or money; pass --slow";
  if (check.receives && !receives) return "needs an address that the service can reach; pass --webhook-url";
  const { passesMs = 0 } = check;
  if (passesMs > maxPassMs) return `time has to pass; pass --wait ${Math.ceil(passesMs / second)}s`;
  return null;
}

/** Returns the maximum cost of a check in naira, at list price. */
export const costOf = ({ charges = {} }: DriftCheck): number =>
  Object.entries(charges).reduce((sum, [key, times]) => sum + priceOf(key).price * times, 0);
