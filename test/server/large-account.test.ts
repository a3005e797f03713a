/** Requests to an account with many records take turns with those of other accounts. The tests count turns, not time. */
import { beforeAll, expect, test } from "vitest";
import { controlOperations } from "../../src/control/index.js";
import type { SandboxAccount, Snapshot } from "../../src/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { call, post, startPhone, useSandbox } from "../support/sandbox.js";
import { forged, frozenAt } from "../support/snapshots.js";
import { maxJsonPerTurn, turnsOf } from "../support/turns.js";

const sandbox = useSandbox({ validateReplies: false });
const size = 2_000;
/** Minimum number of turns for this many records. */
const minTurns = size / 100;

const copies = (record: object, prefix: string): Record<string, object> =>
  Object.fromEntries(
    Array.from({ length: size }, (_, i) => {
      const id = `${prefix}${String(i).padStart(8, "0")}`;
      return [id, { ...record, id }];
    }),
  );

let large: Snapshot;
let account: SandboxAccount;

beforeAll(async () => {
  const small = sandbox.account();
  await small.clock.freeze(frozenAt);
  await startPhone(small);
  const profile = { business_name: "Ada's shop", business_type: "individual", contact_phone: "08031234567" };
  await call(small, "PUT", "/v1/business/profile", profile);
  const customer = { customer_name: "Ada Obi", customer_email: "ada@shop.example" };
  const { id } = (await post(small, "/v1/business/virtual-accounts", customer)).body;
  await post(small, "/v1/webhooks", { url: "http://127.0.0.1:9/" });
  await post(small, "/v1/business/test/simulate-payment", { virtual_account_id: id, amount: 5_000 });
  large = forged(await small.snapshot(), ({ state }) => {
    for (const [table, prefix] of Object.entries({
      payment: "pay_",
      events: "evt_",
      delivery: "dlv_",
      ledger_entries: "entry_",
      inbox: "msg_",
      phone_verification: "phv_",
    })) {
      const [record] = Object.values(state[table] ?? {});
      state[table] = copies(record as object, prefix);
    }
    const [{ legs }] = Object.values(state.ledger_entries as Record<string, { legs: object }>) as [
      { legs: object },
    ];
    const balances = Object.entries(legs).map(([name, kobo]: [string, number]) => [name, size * kobo]);
    state.ledger = { balances: Object.fromEntries(balances) };
  });
  account = sandbox.account();
  await account.restore(large);
});

test("a snapshot is checked and restored over several turns", async () => {
  const copy = sandbox.account();
  expect(await turnsOf(() => copy.restore(large))).toBeGreaterThanOrEqual(minTurns);
});

test("a snapshot is written over several turns, and equals the one that was restored", async () => {
  expect(await turnsOf(() => account.snapshot())).toBeGreaterThanOrEqual(minTurns);
  expect(await account.snapshot()).toEqual(large);
});

test("a scenario with many records is loaded over several turns", async () => {
  const payments = Array.from({ length: 1_000 }, (_, i) => ({ amount: 5_000 + i }));
  const loaded = sandbox.account();
  const turns = await turnsOf(() => loaded.scenario.load({ name: "Many payments", given: { payments } }));
  expect(turns).toBeGreaterThanOrEqual(payments.length / 100);
  expect((await call(loaded, "GET", "/v1/business/payments")).body.payments).toHaveLength(payments.length);
});

test.each([
  ["/v1/business/payments", "payments"],
  ["/_sandbox/inbox", "items"],
])("%s lists all of them", async (path, field) => {
  const { body } = await call(account, "GET", path);
  expect(body[field]).toHaveLength(size);
});

test("a list of the control API is read page by page", async () => {
  const page = async (query: string) => (await call(account, "GET", `/_sandbox/inbox?${query}`)).body;
  const { items: first } = await page("limit=3");
  const { items: second } = await page(`limit=2&before=${first[2].id}`);
  const ids = [...first, ...second].map(({ id }: { id: string }) => id);
  expect(ids).toEqual([1_999, 1_998, 1_997, 1_996, 1_995].map((i) => `msg_0000${i}`));
  const unknown = await page("before=msg_1");
  expect(unknown.error).toMatchObject({ param: "before", code: "validation_error" });
});

test("no turn parses or writes much JSON, in operations that read or write all records of the account", async () => {
  const document = JSON.stringify(large);
  const copy = sandbox.account();
  await copy.restore(large);
  const request = (method: string, path: string, body?: string) => async () => {
    const sent = body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } };
    const response = await copy.fetch(path, { method, ...sent });
    expect([response.status, (await response.text()).slice(0, 300)]).toEqual([200, expect.anything()]);
  };
  const newest = async () => (await copy.activity.list({ limit: 1 }))[0]?.id;
  const works: Record<string, () => Promise<void>> = {
    snapshot: request("GET", "/_sandbox/snapshot"),
    bundle: request("GET", "/_sandbox/export/bundle"),
    advance: request("POST", "/_sandbox/clock/advance", '{"by":"1h"}'),
    explanation: async () => request("GET", `/_sandbox/activity/${await newest()}`)(),
    rewind: async () => request("POST", "/_sandbox/rewind", JSON.stringify({ to: await newest() }))(),
  };
  for (const [name, work] of Object.entries(works))
    expect(await maxJsonPerTurn(work), name).toBeLessThan(document.length / 10);
});

test("a session with many events is recorded over several turns, and so is its bundle", async () => {
  const long = sandbox.account();
  await long.clock.freeze(frozenAt);
  await call(long, "POST", "/v1/webhooks", { url: "http://127.0.0.1:9/" });
  await Promise.all(Array.from({ length: 600 }, () => long.events.trigger("payout.paid")));
  for (const path of ["/_sandbox/export/scenario", "/_sandbox/export/bundle"]) {
    let text = "";
    const read = async () => {
      text = await (await long.fetch(path, {})).text();
    };
    expect(await maxJsonPerTurn(read), path).toBeLessThan(text.length / 2);
    expect(text.length).toBeGreaterThan(100_000);
  }
});

test("many held webhooks are listed in pages, oldest first", async () => {
  const long = sandbox.account();
  await call(long, "POST", "/v1/webhooks", { url: "http://127.0.0.1:9/" });
  await long.rules.add({ on: "payout.paid", hold: "webhook" });
  await Promise.all(Array.from({ length: 1_100 }, () => long.events.trigger("payout.paid")));
  const read = async (path: string) => (await long.fetch(path, {})).text();
  const text = await read("/_sandbox/held");
  const ids = (page: string): string[] => JSON.parse(page).items.map(({ id }: { id: string }) => id);
  const all = ids(text);
  expect(all).toHaveLength(1_100);
  expect(ids(await read("/_sandbox/held?limit=3"))).toEqual(all.slice(0, 3));
  expect(ids(await read(`/_sandbox/held?limit=2&after=${all[2]}`))).toEqual(all.slice(3, 5));
  expect(JSON.parse(await read("/_sandbox/held?after=dlv_1")).error).toMatchObject({
    param: "after",
    code: "validation_error",
  });
});

test("a scenario with many records is checked over several turns", async () => {
  const { scenarioProblems } = await import("../../src/scenarios/check-scenario.js");
  const given = { payments: Array.from({ length: 1_000 }, () => ({ amount: 5_000 })) };
  const check = () => scenarioProblems({ name: "Many", given }, [...serviceOperations, ...controlOperations]);
  await check();
  expect(await turnsOf(check)).toBeGreaterThanOrEqual(given.payments.length / 100);
});
