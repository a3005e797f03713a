/** `operation()` for the service's endpoints: handlers get the account that the API key selects. */
import { type DecidedBy, type Decision, operationFor } from "../contract/operation.js";
import type { DomainSettings, LiveKitSettings, ToolSettings } from "../contract/options.js";
import type { Account } from "../world/account/account.js";
import type { Assumptions, CataloguedAssumption } from "./assumptions.js";

/** The part of the sandbox's settings that operations read. */
export interface ServiceSettings {
  livekit: LiveKitSettings;
  domains: DomainSettings;
  tools: ToolSettings;
}

export interface ServiceContext {
  account: Account;
  /** Switches of the assumption catalogue that are in force. */
  assumptions: Assumptions;
  settings: ServiceSettings;
}

export const operation = operationFor<ServiceContext, CataloguedAssumption>();

/**
 * Sets the outcome that follows from the data, unless another source has decided it. It is reported in
 * X-Sandbox-Outcome.
 */
export function decideOutcome<O>(
  call: { outcome: O; decision: Decision<O> },
  outcome: O,
  by: DecidedBy = "people",
): void {
  call.outcome = outcome;
  call.decision.outcome = outcome;
  call.decision.by = by;
}

/** Returns a loader that imports a module on its first call and returns the loaded module from then on. */
export function loadOnce<M>(load: () => Promise<M>): () => M | Promise<M> {
  let loaded: M | undefined;
  return () =>
    loaded ??
    load().then((module) => {
      loaded = module;
      return module;
    });
}
