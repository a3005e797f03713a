/** A scenario after restarts and in snapshots. */
import { expect, onTestFinished, test } from "vitest";
import type { ScenarioState } from "../../src/client/account/types.js";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { freshFolder } from "../support/folder.js";
import { openOn } from "../support/folder-sandbox.js";
import { call, post } from "../support/sandbox.js";
import { forgedAt } from "../support/snapshots.js";
import { copyAsKilled } from "../support/stores.js";
import { until } from "../support/until.js";

const pay = { do: "simulate_payment", with: { amount: 900 } };

/** The clock is frozen at 2026-03-01T00:00Z. */
const load = (account: SandboxAccount, timeline: object[], others: object = {}) =>
  account.scenario.load({
    name: "A story",
    given: { clock: "2026-03-01T00:00:00Z", virtual_accounts: [{}] },
    timeline,
    ...others,
  });

const timelineOf = async (account: SandboxAccount) =>
  (await account.control<{ loaded: ScenarioState }>("GET", "/scenarios")).loaded.timeline;

const ranAt = ({ ran }: { ran: { at: string; kind: string }[] }) =>
  ran.filter(({ kind }) => kind === "timeline").map(({ at }) => at);

async function sandboxOf(seed: string) {
  const sandbox = await startSandbox({ seed, validateReplies: true });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Returns the replies to further requests, without the URL and the account id. */
async function replies(account: SandboxAccount): Promise<string> {
  const requests: [string, string, object?][] = [
    ["POST", "/v1/verify/bvn", { bvn: "22345678901", first_name: "Chidi", last_name: "Obi" }],
    ["POST", "/v1/verify/nin", { nin: "71234567890", first_name: "Bola", last_name: "Ade" }],
    ["POST", "/v1/verify/bank-account", { account_number: "0198765432", bank_code: "058" }],
    ...Array(12).fill(["POST", "/v1/phone/verify/start", { phone: "+2348031234567" }]),
    ["POST", "/v1/phone/verify/check", { id: "phv_0", code: "1" }],
    ["GET", "/v1/wa/channels"],
    [
      "POST",
      "/v1/business/charges",
      { amount: 5000, description: "Order 1", customer_name: "Ada", customer_email: "a@b.ng" },
    ],
    ["GET", "/v1/business/overview"],
  ];
  const seen: unknown[] = [];
  for (const [method, path, body] of requests) {
    const reply = await call(account, method, path, body);
    seen.push([reply.status, reply.headers.get("x-sandbox-outcome"), reply.body]);
  }
  const advanced = await account.advance("3h");
  seen.push(advanced, await timelineOf(account), await account.inbox.list(), await account.events.list());
  const text = JSON.stringify(seen, null, 1);
  return text.replaceAll(account.baseUrl, "").replaceAll(/acct_[a-z2-7]{16}/g, "acct");
}

const story = {
  given: { clock: "2026-03-01T00:00:00Z", virtual_accounts: [{}], payments: [{ settled: true }] },
  rules: [
    { on: "startPhoneVerification", outcome: "sms_failed", times: 3 },
    { on: "startPhoneVerification", outcome: "expired", probability: 0.5 },
  ],
};
const timeline = [
  { cron: "*/30 * * * *", times: 5, ...pay },
  { after: "2h", do: "create_charge" },
  { after: "1m", do: "update_account", with: { balance: 500_000 } },
];

test("a copy of a half-played scenario, on a sandbox with another seed, continues as the original does", async () => {
  const original = (await sandboxOf("one")).account();
  await load(original, timeline, story);
  for (let i = 0; i < 4; i++) await post(original, "/v1/phone/verify/start", { phone: "+2348055512345" });
  await original.advance("70m");
  const snapshot = await original.snapshot();
  const copy = (await sandboxOf("two")).account();
  await copy.restore(snapshot);
  expect(await timelineOf(copy)).toEqual(await timelineOf(original));

  const [here, there] = [await replies(original), await replies(copy)];
  const withoutRequestIds = (text: string) => text.replaceAll(/req_\w+/g, "req");
  expect(withoutRequestIds(there)).toBe(withoutRequestIds(here));
  for (const seen of ["expired; by=rule", "sent; by=default", '"ran": 5', '"do": "create_charge"'])
    expect(here).toContain(seen);
});

test("sandboxes with different seeds invent different people, so the copy shows those of the snapshot", async () => {
  const [one, two] = [(await sandboxOf("one")).account(), (await sandboxOf("two")).account()];
  const accountNumber = { account_number: "0198765432", bank_code: "058" };
  const holder = async (account: SandboxAccount) =>
    (await post(account, "/v1/verify/bank-account", accountNumber)).body.data?.account_name;
  const [ofOne, ofTwo] = [await holder(one), await holder(two)];
  expect(ofOne).not.toBe(ofTwo);
  await two.restore(await one.snapshot());
  expect(await holder(two)).toBe(ofOne);
  await two.reset();
  expect(await holder(two)).toBe(ofTwo);
});

test("an older snapshot without a seed can still be restored", async () => {
  const account = (await sandboxOf("one")).account();
  await load(account, timeline);
  const older = forgedAt(await account.snapshot(), "state.account.origin", undefined);
  expect(await account.restore(JSON.parse(JSON.stringify(older)))).toMatchObject({ restored: true });
});

test.each<[string, unknown]>([
  ["state.account.origin", { seed: 5 }],
  ["state.scenario.loaded", { timeline: 3 }],
  [
    "state.scenario.loaded",
    {
      name: "x",
      title: "x",
      description: null,
      loaded_at: "2026-03-01T00:00:00.000Z",
      given: {},
      timeline: [{ cron: "often", ...pay }],
    },
  ],
  [
    "state.scenario.loaded",
    {
      name: "x",
      title: "x",
      description: null,
      loaded_at: "2026-03-01T00:00:00.000Z",
      given: {},
      timeline: [{ after: "1s", do: "fly" }],
    },
  ],
  ["state.timeline.entry:0", { ran: "often", error: null }],
])("a snapshot with an invalid %s is refused: %j", async (where, value) => {
  const account = (await sandboxOf("one")).account();
  await load(account, timeline);
  await account.advance("2h");
  await expect(account.restore(forgedAt(await account.snapshot(), where, value))).rejects.toMatchObject({
    status: 400,
    code: "validation_error",
  });
});

test("a timeline continues after a kill and a restart: missed entries run once, the others on time", async () => {
  const folder = freshFolder();
  const first = await openOn(folder);
  const running = first.account("svc_test_running");
  const frozen = first.account("svc_test_frozen");
  await load(frozen, [{ cron: "*/5 * * * *", ...pay }]);
  await frozen.advance("7m");
  const loadedAt = Date.now();
  await running.scenario.load({
    name: "A story",
    given: { virtual_accounts: [{}] },
    timeline: [
      { after: "1s", ...pay },
      { cron: "* * * * * *", ...pay },
    ],
  });
  const killed = copyAsKilled(folder);
  await first.stop();
  const down = Date.now();
  await until("two seconds", () => Date.now() - down > 2_200);

  const up = Date.now();
  const second = await openOn(killed);
  const after = second.account("svc_test_running");
  const [once] = await until("the entry that was due", async () => {
    const entries = await timelineOf(after);
    return entries[0]?.ran === 1 && entries;
  });
  expect(once).toMatchObject({ next_at: null, error: null });
  const [, each] = await timelineOf(after);
  // Once for the whole time that it was down, and once for each second that it ran, the first included.
  expect(each?.ran).toBeLessThanOrEqual(2 + Math.ceil((down - loadedAt + Date.now() - up) / 1_000));
  const still = second.account("svc_test_frozen");
  expect(await timelineOf(still)).toMatchObject([{ ran: 1, next_at: "2026-03-01T00:10:00.000Z" }]);
  expect(ranAt(await still.advance("4m"))).toEqual(["2026-03-01T00:10:00.000Z"]);
});
