import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { describeStates, providerStates } from "../../../src/pact/provider-states/provider-states.js";
import { eventKinds } from "../../../src/service/webhooks/events.js";
import { shareOf } from "../../support/repetitions.js";
import { call, post, useSandbox } from "../../support/sandbox.js";

const sandbox = useSandbox();

type Values = Record<string, string>;
const setUp = (account: SandboxAccount, state: string | null, params: object = {}, action = "setup") =>
  account.control<Values>("POST", "/pact/states", { state, params, action });

/** Required parameters by state. */
const needed: Record<string, object> = {
  "an outcome": { operation: "verifyBvn", outcome: "not_found" },
};

test("there are at least 25 provider states, with names that read like part of a sentence", () => {
  expect(providerStates.length).toBeGreaterThanOrEqual(25);
  expect(new Set(providerStates.map(({ name }) => name)).size).toBe(providerStates.length);
  for (const { name } of providerStates) expect(name).toMatch(/^(?:an? )?[a-z -]+$/);
});

test("each state is described with the JSON Schema of its parameters and its values", () => {
  const items = describeStates();
  expect(items.map(({ name }) => name)).toEqual(providerStates.map(({ name }) => name));
  expect(items.find(({ name }) => name === "a settled balance")).toMatchObject({
    params: { type: "object", properties: { amount: { type: "number" } } },
    values: { payment_id: expect.any(String) },
  });
});

const modes = ["test", "live"] as const;

describe.each(modes)("on a %s account", (mode) => {
  test.each(providerStates.map(({ name, values, events }) => [name, Object.keys(values), events] as const))(
    "%s can be set up without optional parameters, gives its documented values, and brings about its documented events and no others",
    async (name, values, events) => {
      const account = sandbox.account({ mode });
      const made = await setUp(account, name, needed[name]);
      expect(Object.keys(made).sort()).toEqual([...values].sort());
      for (const value of Object.values(made)) expect([undefined, "", "undefined"]).not.toContain(value);
      const kinds = (await account.events.list()).map(({ event }) => event);
      expect(kinds.sort()).toEqual([...events].sort());
    },
  );
});

test("every event is brought about by a state", () => {
  const broughtAbout = new Set(providerStates.flatMap(({ events }) => events));
  expect([...broughtAbout].sort()).toEqual([...eventKinds].sort());
});

/** States, the value that has the record's id, and the state of the record. */
const recordStates: readonly [name: string, id: string, state: string][] = [
  ["a pending phone verification", "id", "pending"],
  ["a locked phone verification", "id", "max_attempts_reached"],
  ["an expired phone verification", "id", "expired"],
  ["a verified phone verification", "id", "verified"],
  ["a pending address check", "id", "pending"],
  ["a verified address", "id", "verified"],
  ["an address in review", "id", "review"],
  ["an active real-time session", "session_id", "active"],
  ["a completed real-time session", "session_id", "completed"],
  ["a ready audit", "id", "ready"],
  ["a pending deep audit", "id", "pending"],
  ["a failed deep audit", "id", "failed"],
  ["a pending domain", "domain_id", "pending"],
  ["a published domain proof", "domain_id", "pending"],
  ["a verified domain", "domain_id", "verified"],
  ["a media scan", "id", "completed"],
  ["a disconnected channel", "channel_id", "disconnected"],
  ["a connected channel", "channel_id", "connected"],
  ["a pending channel code", "id", "pending"],
  ["an open identity question", "id", "pending"],
  ["an answered identity question", "id", "verified"],
  ["a failed identity question", "id", "failed"],
  ["an expired identity question", "id", "expired"],
  ["a virtual account", "virtual_account_id", "active"],
  ["a received payment", "payment_id", "success"],
  ["a settled balance", "payment_id", "success"],
  ["a failed payment", "payment_id", "failed"],
  ["a held payment", "payment_id", "held"],
  ["a payment with an issue", "payment_id", "held"],
  ["a payment with a resolved issue", "payment_id", "success"],
  ["a requested payout", "payout_id", "requested"],
  ["a paid payout", "payout_id", "paid"],
  ["a rejected payout", "payout_id", "rejected"],
  ["a failed payout", "payout_id", "failed"],
  ["a requested refund", "refund_id", "requested"],
  ["a processed refund", "refund_id", "processed"],
  ["a rejected refund", "refund_id", "rejected"],
  ["a failed refund", "refund_id", "failed"],
];

// Short runs try each state on one of the two accounts.
describe.each(modes)("on a %s account the record is in the named state", (mode) => {
  test.each(shareOf(recordStates, 2, modes.indexOf(mode)))("%s", async (name, id, expected) => {
    const account = sandbox.account({ mode });
    const values = await setUp(account, name);
    expect((await account.records.get(values[id] as string)).state).toBe(expected);
  });
});

test("the code that a state gives is the one in the inbox", async () => {
  const account = sandbox.account();
  const { id, code, phone } = await setUp(account, "a pending phone verification", { phone: "08039876543" });
  expect(phone).toBe("+2348039876543");
  expect((await post(account, "/v1/phone/verify/check", { id, code })).body).toMatchObject({
    verified: true,
  });
});

test("a settled balance can be paid out in full", async () => {
  const account = sandbox.account();
  await setUp(account, "a settled balance", { amount: 12_345 });
  const { available } = (await call(account, "GET", "/v1/business/overview")).body;
  expect(available).toBeGreaterThan(12_000);
  expect((await post(account, "/v1/business/payouts", { amount: available })).status).toBe(201);
});

test.each([[undefined], [100.01], [6_000_000]])(
  "a paid-out payment of %s cannot be refunded",
  async (amount) => {
    const account = sandbox.account();
    const { payment_id } = await setUp(account, "a paid-out payment", amount ? { amount } : {});
    const reply = await post(account, "/v1/business/refunds", { payment_id, reason: "Returned goods" });
    expect(reply.body.error.code).toBe("insufficient_available_balance");
  },
);

test("an open message window lets a message through", async () => {
  const account = sandbox.account();
  const { channel_id, to } = await setUp(account, "an open message window", { to: "2348055550123" });
  const sent = await post(account, `/v1/wa/channels/${channel_id}/send`, { to, text: "Hello" });
  expect(sent.body).toMatchObject({ sent: 1, session_active: true });
});

test.each([[undefined], ["image"], ["text"], ["video"]])(
  "a media scan of %s is listed",
  async (media_type) => {
    const account = sandbox.account({ mode: "live" });
    const { id } = await setUp(account, "a media scan", media_type ? { media_type } : {});
    const kind = media_type ?? "text";
    const { body } = await call(account, "GET", `/v1/media-scan?media_type=${kind}`);
    expect(body).toMatchObject([{ id, media_type: kind, status: "completed" }]);
  },
);

test("several states can be combined on one account", async () => {
  const account = sandbox.account();
  await setUp(account, "a plan", { plan: "growth" });
  await setUp(account, "a settled balance");
  await setUp(account, "an outcome", { operation: "createPayout", outcome: "rejected" });
  const { amount } = (await post(account, "/v1/business/payouts", { amount: 700 })).body;
  await account.advance("5m");
  expect([amount, (await account.events.list({ event: "payout.rejected" })).length]).toEqual([700, 1]);
});

test.each([[null], [""]])("no state (%j) and a teardown change nothing", async (state) => {
  const account = sandbox.account();
  expect(await setUp(account, state)).toEqual({});
  expect(await setUp(account, "a settled balance", {}, "teardown")).toEqual({});
  expect((await call(account, "GET", "/v1/business/payments")).body).toEqual({ payments: [] });
});
