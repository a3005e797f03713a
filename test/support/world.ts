/** Creates a world on a folder without a server, for tests of states that no request can cause. */

import { onTestFinished } from "vitest";
import { machines } from "../../src/service/machines.js";
import type { Account } from "../../src/world/account/account.js";
import { accountId } from "../../src/world/account/account-id.js";
import type { JobHandler } from "../../src/world/account/run-job.js";
import type { Store } from "../../src/world/store/store.js";
import type { Durability } from "../../src/world/store/sync.js";
import { table } from "../../src/world/store/table.js";
import { deliverJob, Sender } from "../../src/world/webhooks/send.js";
import { World } from "../../src/world/world.js";
import { documentOf } from "./state.js";
import { openStoreAtOnce } from "./stores.js";

export interface OpenWorld {
  world: World;
  store: Store;
  warnings: string[];
  account(key: string): Promise<Account>;
  close(): Promise<void>;
}

/** `jobs` are handlers for job kinds that a test defines. */
export function openWorld(
  folder: string,
  jobs: Readonly<Record<string, JobHandler>> = {},
  durability: Durability = "process",
): OpenWorld {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const store = openStoreAtOnce(folder, { durability, warn });
  const sender = new Sender();
  const world = new World({
    store,
    seed: "standin",
    baseUrl: () => "http://localhost",
    machines,
    jobs: {
      deliver: deliverJob(sender),
      ...Object.fromEntries(Object.entries(jobs).map(([kind, run]) => [kind, { says: () => kind, run }])),
    },
    warn,
  });
  void world.wake();
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= world.close().then(() => sender.close()));
  onTestFinished(close);
  return { world, store, warnings, account: async (key) => world.open(accountId(key)), close };
}

export const things = table<unknown>("things");

export const put = (account: Account, name: string, id: string, value: unknown): void =>
  account.commit("api", () => account.state.put(table(name), id, value));

const megabyte = "x".repeat(1024 * 1024);

/** Writes more than the 4 MB from which a journal is compacted, into a state of half a megabyte: records are created, changed and deleted. */
export function writeMuch(account: Account): void {
  for (let i = 0; i < 6; i++) put(account, "things", "large", { text: `${i}${megabyte}` });
  put(account, "things", "large", { text: "small again" });
  for (let i = 0; i < 500; i++) {
    put(account, "things", `t${i}`, { number: i, text: "ünïcode \n and 'quotes\"".repeat(40) });
    if (i % 3 === 0) account.commit("api", () => account.state.delete(things, `t${i / 3}`));
  }
}

/** Returns the whole state, including the order of its records. */
export const bytes = (account: Account): string => JSON.stringify(documentOf(account.state));
