/**
 * An account's whole state as one document, and back. The same state at the same instant gives the same bytes, on any
 * account of any sandbox of the same major version: what tells the account (mode, registration) or this process alone
 * (how the clock runs, the exact version) is not in it. Neither is any API key. The seed is: people
 * that nobody registered are drawn from it, and a copy must meet the same.
 */
import type { Account } from "../account.js";

export interface Snapshot {
  /** `version` is that of whoever wrote it without what keeps snapshots readable, such as `0.x`. */
  standin: { format: 1; version: string };
  mode: "test" | "live";
  /** A restored clock is paused here. */
  clock: { now: string };
  /** Tables by name, their records in the order in which they were made. */
  state: Record<string, Record<string, object>>;
  /** SHA-256, in lowercase hex, of the JSON text of everything above. */
  checksum: string;
}

/** What makes a document no snapshot that this account can take: where, what, and what would be right. */
export class NotRestorable extends Error {
  constructor(
    readonly param: string,
    message: string,
  ) {
    super(message);
  }
}

export const format = 1;
export const source = "GET /_sandbox/snapshot";

export const majorOf = (version: string): string | undefined => /^(\d+)\./.exec(version)?.[1];

/** Keys that are whole numbers come first in every JavaScript object, and the order tells which record is newer. */
const marked = /^(?:#|(?:0|[1-9]\d*)$)/;
export const toKey = (id: string): string => (marked.test(id) ? `#${id}` : id);
export const toId = (key: string): string => (key.startsWith("#") ? key.slice(1) : key);

export const modeOf = ({ live }: Account): Snapshot["mode"] => (live ? "live" : "test");
