/** What a running sandbox was told: by flags, environment, config file or the library's options. */
import type { Assumptions } from "../contract/assumptions.js";

export interface Settings {
  seed: string;
  assumptions: Assumptions;
  /** `documented`: replies take the times that the interface's Limits give. */
  latency: "none" | "documented";
  /** Refuse keys that were not registered with the control API or the config. */
  registeredKeysOnly: boolean;
  /** Keys that the config registers. */
  keys: readonly string[];
  /** Needed on the control API and the pages when bound off loopback. */
  adminToken: string | null;
  /** Names beside loopback ones under which the control API answers. */
  allowHosts: readonly string[];
  /** Web origins that may call from a browser; `*` for any. */
  allowOrigins: readonly string[];
  /** Check every reply against its schema and fail loudly when one is off its contract. */
  validateReplies: boolean;
}

/** The account of a request that carries no key, and the keys that the first screen prints. */
export const testKey = "svc_test_demo";
export const liveKey = "svc_live_demo";
