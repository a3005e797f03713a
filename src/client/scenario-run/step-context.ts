/** Context that the steps of a scenario run share. */

import type { AccountClient } from "../account/account-client.js";
import type { ClientOptions } from "../client.js";
import type { ReceivedWebhook, ScenarioReceiver } from "./receiver.js";

export interface StepContext {
  account: AccountClient;
  /** The connection of the account. */
  connection: ClientOptions;
  readFixture(name: string): Promise<Uint8Array>;
  /** Values that steps can refer to. */
  scope: Record<string, unknown>;
  /** Ids of the events that earlier steps have seen. */
  seen: Set<string>;
  /** Webhooks that belong to those events. */
  claimed: Set<ReceivedWebhook>;
  /** Receivers that the steps have opened. */
  receivers: ScenarioReceiver[];
}

export interface StepOutcome {
  /** Value to compare with the expectation. */
  actual: unknown;
  /** Value that later steps find under the step's name. Default: `actual`. */
  captured?: unknown;
  /** Differences, if the step compares by itself. */
  problems?: string[];
}

/** Compares a value with the step's expectation and returns the differences. */
export type Compare = (actual: unknown) => string[];

/** Thrown when a step cannot be carried out. */
export class StepFailure extends Error {}
