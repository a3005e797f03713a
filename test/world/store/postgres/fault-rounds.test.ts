import { expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../../../src/index.js";
import { accountId } from "../../../../src/world/account-id.js";
import { type Operation, violations } from "../../../support/history.js";
import { freshDatabase, startReplica, type TestDatabase } from "../../../support/postgres.js";
import type { Program } from "../../../support/program.js";
import { startReceiver } from "../../../support/receiver.js";
import { repetitions } from "../../../support/repetitions.js";
import { call, post, type Reply } from "../../../support/sandbox.js";
import { until } from "../../../support/until.js";

/** Keys of the accounts in use. They are replaced before a journal is long enough to be folded, so that it has every line. */
let keys: readonly string[] = [];
const roundsPerAccount = 10;
const openingBalance = 1_000_000;
const priceOfStart = 6;
interface Write {
  key: string;
  /** Null while the outcome is unknown. */
  id: string | null;
  began: number;
  ended: number;
}

interface Read {
  key: string;
  count: number;
  began: number;
  ended: number;
}

const history = { writes: [] as Write[], reads: [] as Read[], events: new Set<string>() };

/** Returns null if the connection broke or the sandbox says that it does not know: the request may have been done. */
async function attempt(run: () => Promise<Reply>): Promise<Reply | null> {
  const reply = await run().catch((error: Error) => {
    if (error.name === "AssertionError") throw error;
    return null;
  });
  if (reply === null || reply.status === 503) return null;
  return reply;
}

async function write(account: SandboxAccount): Promise<void> {
  const entry: Write = {
    key: account.key,
    id: null,
    began: performance.now(),
    ended: Number.POSITIVE_INFINITY,
  };
  history.writes.push(entry);
  const reply = await attempt(() => post(account, "/v1/phone/verify/start", { phone: "08031234567" }));
  if (!reply) return;
  expect(reply.status).toBe(201);
  entry.id = reply.body.id;
  entry.ended = performance.now();
}

async function readBalance(account: SandboxAccount): Promise<void> {
  const began = performance.now();
  const reply = await attempt(() => call(account, "GET", "/_sandbox/account"));
  if (!reply) return;
  expect(reply.status).toBe(200);
  const count = (openingBalance - reply.body.balance) / priceOfStart;
  expect(Number.isInteger(count)).toBe(true);
  history.reads.push({ key: account.key, count, began, ended: performance.now() });
}

async function notify(account: SandboxAccount): Promise<void> {
  const body = { event: "payout.paid" };
  const reply = await attempt(() => post(account, "/_sandbox/events", body));
  if (reply?.status === 201) history.events.add(reply.body.id);
}

/** Runs eight clients on all replicas until `fault` has ended. */
async function underLoad(replicas: readonly Program[], fault: () => Promise<void>): Promise<void> {
  let isOver = false;
  const steps = [write, readBalance, write, notify];
  const client = async (number: number) => {
    for (let at = number; !isOver; at++) {
      const replica = replicas[at % replicas.length] as Program;
      const account = replica.account(keys[number % keys.length] as string);
      await (steps[(at * 7 + number) % steps.length] as typeof write)(account);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const clients = Array.from({ length: 8 }, (_, number) => client(number));
  await fault();
  isOver = true;
  await Promise.all(clients);
}

interface Line {
  sequence: string;
  epoch: string;
  line: string;
}

/** Reads the journals: no gap, no second history, and every reply and balance explained by the order of the lines. */
async function expectOneHistory({ query }: TestDatabase): Promise<void> {
  for (const key of keys) {
    const lines = await query<Line>(
      "SELECT sequence, epoch, line FROM standin_journal WHERE account = $1 ORDER BY sequence",
      [accountId(key)],
    );
    const ids: string[] = [];
    let epoch = 0;
    for (const [index, { sequence, epoch: own, line }] of lines.entries()) {
      expect(Number(sequence)).toBe(index + 1);
      expect(Number(own)).toBeGreaterThanOrEqual(epoch);
      epoch = Number(own);
      const changes: [table: string, id: string, record: { balance?: number }][] = JSON.parse(line);
      for (const [table, id] of changes)
        if (table === "phone_verification" && !ids.includes(id)) ids.push(id);
      const wallet = changes.find(([table, id]) => table === "account" && id === "wallet");
      if (wallet) expect(wallet[2].balance).toBe((openingBalance - priceOfStart * ids.length) * 100);
    }
    const writes = history.writes.filter((entry) => entry.key === key);
    const acknowledged = writes.flatMap(({ id }) => id ?? []);
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
    const operations: Operation[] = history.reads
      .filter((entry) => entry.key === key)
      .map(({ count, began, ended }) => ({ began, ended, position: count + 1, isWrite: false }));
    for (const { id, began, ended } of writes)
      if (id !== null) operations.push({ began, ended, position: ids.indexOf(id) + 1, isWrite: true });
    expect(violations(operations)).toEqual([]);
  }
}

test("replicas are killed at random: nothing acknowledged is lost, and every account has one history", async () => {
  const database = await freshDatabase();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const replicas = [await startReplica(database), await startReplica(database), await startReplica(database)];
  for (let round = 0; round < repetitions(1, 60); round++) {
    if (round % roundsPerAccount === 0) {
      keys = ["one", "two", "three", "four"].map((name) => `svc_test_${name}_${round}`);
      Object.assign(history, { writes: [], reads: [] });
      const { account } = replicas[0] as Program;
      for (const key of keys) await post(account(key), "/v1/webhooks", { url: receiver.url });
    }
    const at = round % replicas.length;
    const victim = replicas[at] as Program;
    await underLoad(replicas, async () => {
      await new Promise((resolve) => setTimeout(resolve, 500 + ((round * 137) % 700)));
      await victim.stop("SIGKILL");
      const begun = history.writes.length;
      await until("all accounts are written to again", () =>
        keys.every((key) =>
          history.writes.slice(begun).some((entry) => entry.key === key && entry.id !== null),
        ),
      );
    });
    replicas[at] = await startReplica(database);
    await expectOneHistory(database);
  }
  await until("every webhook has arrived", () => {
    const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(String(body)).id));
    return [...history.events].every((id) => arrived.has(id));
  });
  expect(history.events.size).toBeGreaterThan(0);
  const bodies = new Map<string, string>();
  for (const { body } of receiver.received) {
    const { id } = JSON.parse(String(body));
    expect(String(body)).toBe(bodies.get(id) ?? String(body));
    bodies.set(id, String(body));
  }
});
