import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { freshFolder, startOn } from "../../support/folder.js";
import type { Program } from "../../support/program.js";
import { startReceiver } from "../../support/receiver.js";
import { repetitions } from "../../support/repetitions.js";
import { call, post, type Reply, startPhone } from "../../support/sandbox.js";
import { bytesOf, putSnapshot } from "../../support/snapshots.js";
import { until } from "../../support/until.js";

const [writing, travelling, notifying, resetting, restoring] = [
  "svc_test_writing",
  "svc_test_travelling",
  "svc_test_notifying",
  "svc_test_resetting",
  "svc_test_restoring",
];
const keys = [writing, travelling, notifying, resetting, restoring];
const openingBalance = 1_000_000;
const priceOfStart = 6;

/** Everything that the program has acknowledged in all rounds of one attempt. */
let acknowledged: ReturnType<typeof nothingAcknowledged>;
beforeEach(() => {
  acknowledged = nothingAcknowledged();
});

const nothingAcknowledged = () => ({
  records: [] as { key: string; id: string }[],
  events: new Set<string>(),
  requestIds: new Set<string>(),
  /** Latest time seen on an account's clock. */
  clocks: new Map<string, string>(),
});

/** Records the id of the request and expects it to be unique. */
function expectNewRequest({ headers }: Reply): void {
  const id = headers.get("x-request-id") as string;
  expect(acknowledged.requestIds).not.toContain(id);
  acknowledged.requestIds.add(id);
}

async function start(account: SandboxAccount): Promise<void> {
  const reply = await startPhone(account);
  expect(reply.status).toBe(201);
  expectNewRequest(reply);
  const { id } = reply.body;
  if (account.key !== writing && account.key !== travelling) return;
  expect(acknowledged.records.filter((record) => record.id === id)).toEqual([]);
  acknowledged.records.push({ key: account.key, id });
}

async function travel(account: SandboxAccount): Promise<void> {
  await account.advance("17m");
  acknowledged.clocks.set(account.key, (await account.clock.get()).now);
}

const notify = async (account: SandboxAccount): Promise<void> =>
  void acknowledged.events.add((await account.events.trigger("payout.paid")).id);

const restore = (snapshot: string) => async (account: SandboxAccount) =>
  void expect((await putSnapshot(account, snapshot)).status).toBe(200);

/** Runs clients that call in loops until the process is killed after a number of acknowledgements. */
async function runUntilKilled(program: Program, snapshot: string, killAfter: number): Promise<void> {
  let count = 0;
  let killed: Promise<unknown> | null = null;
  const client = async (key: string, step: (account: SandboxAccount) => Promise<unknown>) => {
    const account = program.account(key);
    try {
      for (;;) {
        await step(account);
        if (++count >= killAfter) killed ??= program.stop("SIGKILL");
      }
    } catch (error) {
      // The connection broke, so the request in progress was never acknowledged.
      if (!killed || (error as Error).name === "AssertionError") throw error;
    }
  };
  const clients: [string, (account: SandboxAccount) => Promise<unknown>][] = [
    [writing, start],
    [writing, start],
    [travelling, start],
    [travelling, travel],
    [notifying, notify],
    [resetting, start],
    [resetting, (account) => account.reset()],
    [restoring, restore(snapshot)],
    [restoring, bytesOf],
  ];
  await Promise.all(clients.map(([key, step]) => client(key, step)));
  await killed;
}

/** Expects all state to be consistent and to contain everything acknowledged. */
async function expectConsistent(program: Program): Promise<void> {
  for (const key of keys) {
    const account = program.account(key);
    // A reset or restore replaces the account, so its clock is read from the same document.
    const { clock, state } = JSON.parse(await bytesOf(account));
    const balance = await call(account, "GET", "/v1/balance");
    expectNewRequest(balance);
    const started = Object.values<{ history: { at: string }[] }>(state.phone_verification ?? {});
    const messages = Object.values(state.inbox ?? {});
    expect(messages).toHaveLength(started.length);
    expect((await account.update({})).balance).toBe(openingBalance - priceOfStart * started.length);
    for (const { history } of started) for (const { at } of history) expect(at <= clock.now).toBe(true);
    expect(clock.now >= (acknowledged.clocks.get(key) ?? "")).toBe(true);
    const known = new Set(Object.keys(state.phone_verification ?? {}));
    const lost = acknowledged.records.filter((record) => record.key === key && !known.has(record.id));
    expect(lost).toEqual([]);
  }
}

test("after kill -9 at any moment nothing acknowledged is lost, no id repeats, and every webhook arrives", async () => {
  const folder = freshFolder();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  let program = await startOn(folder);
  await post(program.account(notifying), "/v1/webhooks", { url: receiver.url });
  for (let i = 0; i < repetitions(5, 20); i++)
    await Promise.all(Array.from({ length: 20 }, () => start(program.account(restoring))));
  const snapshot = await bytesOf(program.account(restoring));
  for (let round = 0; round < repetitions(2, 100); round++) {
    await runUntilKilled(program, snapshot, 10 + ((round * 37) % 150));
    program = await startOn(folder);
    await expectConsistent(program);
  }
  await until("every event has arrived", () => {
    const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(String(body)).id));
    return [...acknowledged.events].every((id) => arrived.has(id));
  });
  // A line that the last kill cut in two was never acknowledged, so dropping it is all that may be reported.
  const otherReports = program
    .stderr()
    .split("\n")
    .filter((line) => line && !/, line \d+, was cut off while/.test(line));
  expect(otherReports).toEqual([]);
  expect(await program.stop()).toBe(0);
});
