/** Opens the store that the options of a sandbox name. The code of each is loaded with its first use. */
import type { AccountLog, Store } from "./store.js";

const log: AccountLog = {
  append() {},
  whenSafe: (callback) => callback(null),
  safe: true,
  close() {},
};

/** A store that keeps everything in memory until the process ends. */
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

export interface StoreOptions {
  /** Folder of the file store. */
  data?: string | null;
  /** URL of a PostgreSQL database. */
  store?: string | null;
  durability?: "process" | "power";
}

export async function openStore(
  { data, store: address, durability = "process" }: StoreOptions,
  version: string,
  warn: (message: string) => void,
): Promise<Store> {
  if (address) {
    const { PostgresStore } = await import("./postgres/postgres-store.js");
    return PostgresStore.open({ address, warn });
  }
  if (data === null || data === undefined) return memoryStore;
  const { FileStore } = await import("./file-store.js");
  return FileStore.open({ folder: data, durability, version, warn });
}
