/** A store that keeps everything in memory until the process ends. */
import type { AccountLog, Store } from "./store.js";

const log: AccountLog = {
  append() {},
  whenSafe: (callback) => callback(null),
  safe: true,
  close() {},
};

export const memoryStore: Store = {
  evicts: false,
  runId: "",
  open: () => ({ log, known: false }),
  requestLog: () => null,
  noteDue() {},
  dueAccounts: async () => [],
  compact: async () => {},
  close: async () => {},
};
