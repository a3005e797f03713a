/** A world on a folder, without a server before it: for what no request can bring about. */
import { onTestFinished } from "vitest";
import { machines } from "../../src/service/machines.js";
import { deliverJob } from "../../src/webhooks/deliver.js";
import { Sender } from "../../src/webhooks/send.js";
import type { Account } from "../../src/world/account.js";
import { FileStore } from "../../src/world/file-store.js";
import type { JobHandler } from "../../src/world/scheduler.js";
import { accountId, World } from "../../src/world/world.js";

export interface OpenWorld {
  world: World;
  store: FileStore;
  warnings: string[];
  account(key: string): Promise<Account>;
  close(): Promise<void>;
}

/** `jobs` runs kinds of job that a test makes up. */
export function openWorld(folder: string, jobs: Readonly<Record<string, JobHandler>> = {}): OpenWorld {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const store = new FileStore({ folder, durability: "process", warn });
  const sender = new Sender();
  const world = new World({
    store,
    seed: "standin",
    machines,
    jobs: { deliver: deliverJob(sender, false), ...jobs },
    warn,
  });
  void world.wake();
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= world.close().then(() => sender.close()));
  onTestFinished(close);
  return { world, store, warnings, account: async (key) => world.open(accountId(key)), close };
}
