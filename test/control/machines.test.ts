import { expect, test } from "vitest";
import { movesByHand } from "../../src/service/machines.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

interface Machine {
  name: string;
  states: string[];
  transitions: { move: string; from: string; to: string[]; by_hand: boolean; timed: boolean }[];
  records: number;
}

const given = { payments: [{ amount: 20_000, settled: true }], payouts: [{ amount: 7_000.68 }] };

test("machines are listed as tables, with the moves that can be made by hand and the number of records", async () => {
  const account = sandbox.account();
  await account.scenario.load({ name: "A payout", given });
  const { items } = await account.control<{ items: Machine[] }>("GET", "/machines");
  const payout = items.find(({ name }) => name === "payout");
  expect(payout).toEqual({
    name: "payout",
    states: ["requested", "paid", "failed", "rejected"],
    transitions: [
      { move: "request", from: "new", to: ["requested"], by_hand: false, timed: false },
      { move: "pay", from: "requested", to: ["paid"], by_hand: true, timed: true },
      { move: "fail", from: "requested", to: ["failed"], by_hand: true, timed: true },
      { move: "reject", from: "requested", to: ["rejected"], by_hand: true, timed: true },
    ],
    records: 1,
  });
  for (const { name, transitions } of items) {
    const byHand = [...new Set(transitions.filter(({ by_hand }) => by_hand).map(({ move }) => move))];
    expect(byHand.sort()).toEqual([...((movesByHand as Record<string, string[]>)[name] ?? [])].sort());
  }
});

test("records are listed by machine and state, newest first, and the ledger shows the money that each moved", async () => {
  const account = sandbox.account();
  await account.scenario.load({ name: "A payout", given });
  const list = (path: string) => account.control<{ items: { id: string; state: string }[] }>("GET", path);
  const [payout] = (await list("/machines/payout/records")).items;
  expect(payout).toMatchObject({ state: "requested", record: { amount: 7_000.68 } });
  expect((await list("/machines/payout/records?state=paid")).items).toEqual([]);
  await expect(list("/machines/payouts/records")).rejects.toThrow(
    /There is no state machine "payouts"; there are .*payout/,
  );

  const id = payout?.id as string;
  const ledger = () =>
    account.control<{ balances: Record<string, number>; items: object[] }>("GET", `/ledger?record=${id}`);
  expect((await ledger()).items).toMatchObject([
    { record: id, amounts: { available: -7_000.68, in_payout: 7_000.68 } },
  ]);
  await account.records.move(id, "reject");
  const { balances, items } = await ledger();
  expect(items).toHaveLength(2);
  expect(balances).toMatchObject({ in_payout: 0, available: 19_800 });
});

test("a scenario runs live on an account of its own: a line for each step as it ends, then the result", async () => {
  const account = sandbox.account();
  const before = await account.control("GET", "/machines");
  const response = await fetch(`${sandbox.url}/_sandbox/scenarios/payout-rejected/run`, {
    method: "POST",
    headers: { "X-Service-Key": account.key },
  });
  const lines = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines[0]).toEqual({ account: expect.stringMatching(/^acct_/) });
  expect(lines.slice(1, -1).map(({ step, passed }) => [step, passed])).toEqual(
    [1, 2, 3, 4, 5].map((step) => [step, true]),
  );
  expect(lines.at(-1)).toMatchObject({ name: "Payout rejected", passed: true, skipped: 0 });
  expect(await account.control("GET", "/machines")).toEqual(before);
  const unknown = await fetch(`${sandbox.url}/_sandbox/scenarios/nothing/run`, { method: "POST" });
  expect(unknown.status).toBe(404);
});
