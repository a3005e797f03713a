/**
 * An account's whole state as one document, and back. The same state at the same instant gives the same bytes, on any
 * account of any sandbox of the same major version. It leaves out properties of the account (mode, registration), of
 * this process (clock mode, exact version), and API keys. It contains the seed: people
 * that are not registered are generated from it, and must be the same on a copy.
 */
import { controlRoutes } from "../../contract/control-routes.js";
import type { Account } from "../account/account.js";

export interface StoredSnapshot {
  /** `version` is the major version of the writer, such as `0.x`: minor versions keep snapshots readable. */
  standin: { format: 1; version: string };
  mode: "test" | "live";
  /** A restored clock is paused here. */
  clock: { now: string };
  /** Tables by name, their records in the order in which they were made. */
  state: Record<string, Record<string, object>>;
  /** SHA-256, in lowercase hex, of the JSON text of everything above. */
  checksum: string;
}

/** A document cannot be restored on this account. The message names the place, the problem and what is expected. */
export class NotRestorable extends Error {
  constructor(
    readonly param: string,
    message: string,
  ) {
    super(message);
  }
}

export const format = 1;
export const source = controlRoutes.getSnapshot;

export const majorOf = (version: string): string | undefined => /^(\d+)\./.exec(version)?.[1];

/** JavaScript objects list integer keys first, which would lose the order of the records. */
const marked = /^(?:#|(?:0|[1-9]\d*)$)/;
export const toKey = (id: string): string => (marked.test(id) ? `#${id}` : id);
export const toId = (key: string): string => (key.startsWith("#") ? key.slice(1) : key);

export const modeOf = ({ live }: Account): StoredSnapshot["mode"] => (live ? "live" : "test");
