import { afterEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { sections } from "../../src/scenarios/given-sections.js";
import { call, useSandbox } from "../support/sandbox.js";
import { ref } from "./files.js";

const sandbox = useSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

type Made = Record<string, unknown>;

const load = (account: SandboxAccount, given: object, others: object = {}) =>
  account.scenario.load({ name: "A story", given, ...others });

/** Returns the only record of a section in its current state. */
async function recordOf(account: SandboxAccount, name: string, fields: object) {
  const section = sections[name];
  const { given } = await load(account, { [name]: section?.isSingle ? fields : [fields] });
  const made = (section?.isSingle ? given[name] : (given[name] as Made[])[0]) as Made;
  return { given, made, id: made[section?.id ?? "id"] as string };
}

describe("a section with defaults only makes", () => {
  test.each([
    ["phone_verifications", "phone_verification", "pending"],
    ["addresses", "address_check", "pending"],
    ["sessions", "session", "active"],
    ["audits", "audit", "pending"],
    ["domains", "domain", "pending"],
    ["channels", "channel", "disconnected"],
    ["channel_codes", "channel_code", "pending"],
    ["identity_checks", "identity_check", "pending"],
    ["virtual_accounts", "virtual_account", "active"],
    ["payments", "payment", "success"],
    ["charges", "charge", "open"],
    ["payouts", "payout", "requested"],
    ["refunds", "refund", "requested"],
  ])("%s: a %s that is %s", async (name, machine, state) => {
    const account = sandbox.account();
    const { id } = await recordOf(account, name, {});
    expect(await account.records.get(id)).toMatchObject({ machine, state });
  });

  test("a person, a business and a payout account", async () => {
    const account = sandbox.account();
    const { given } = await load(account, { people: [{}], payout_account: {} });
    const [{ bvn }] = given.people as [{ bvn: string }];
    expect(await account.control("GET", `/people/${bvn}?kind=bvn`)).toMatchObject({
      source: "registered",
      person: { first_name: "Chidi", last_name: "Obi" },
    });
    expect(given).toMatchObject({
      business: { business_name: "Ada Stores" },
      payout_account: { bank_code: "058", account_number: "0123456789" },
    });
  });

  test("nothing if it is empty", async () => {
    const { given } = await load(sandbox.account(), { payments: [], people: [] });
    expect(given).toEqual({ payments: [], people: [] });
  });

  test("and every section has a test here", () => {
    const seen = ["account", "webhooks", "people", "business", "payout_account"];
    expect(Object.keys(sections)).toEqual(expect.arrayContaining(seen));
    expect(Object.keys(sections)).toHaveLength(13 + seen.length);
  });
});

describe("a word brings the record to the state that it names", () => {
  const states: Record<string, string> = {
    "phone_verifications verified": "verified",
    "phone_verifications locked": "max_attempts_reached",
    "phone_verifications expired": "expired",
    "sessions completed": "completed",
    "sessions expired": "expired",
    "audits ready": "ready",
    "audits failed": "failed",
    "domains verified": "verified",
    "channels connecting": "connecting",
    "channels connected": "connected",
    "channel_codes verified": "verified",
    "channel_codes locked": "locked",
    "channel_codes expired": "expired",
    "identity_checks expired": "expired",
    "virtual_accounts deactivated": "inactive",
    "payments settled": "success",
    "payments issue": "held",
    "charges paid": "paid",
    "payouts paid": "paid",
    "payouts failed": "failed",
    "payouts rejected": "rejected",
    "refunds processed": "processed",
    "refunds failed": "failed",
    "refunds rejected": "rejected",
  };

  test("every word has a test here", () => {
    const all = Object.entries(sections).flatMap(([name, { words = {} }]) =>
      Object.keys(words).map((word) => `${name} ${word}`),
    );
    expect(Object.keys(states).sort()).toEqual(all.sort());
  });

  test.each(Object.entries(states))("%s: %s", async (section, state) => {
    const [name = "", word = ""] = section.split(" ");
    const account = sandbox.account();
    const { id } = await recordOf(account, name, { [word]: true });
    expect((await account.records.get(id)).state).toBe(state);
  });

  test("false is the same as omitting the word", async () => {
    const account = sandbox.account();
    const { id } = await recordOf(account, "payouts", { paid: false });
    expect((await account.records.get(id)).state).toBe("requested");
  });

  test("an object is the input of the word's last move", async () => {
    const account = sandbox.account();
    const { id } = await recordOf(account, "sessions", { completed: { minutes: 12, participants: 3 } });
    const { record } = await account.records.get(id);
    expect(record).toMatchObject({ status: "completed", duration_seconds: 720 });
  });

  test("settled money is available, and the record has its final state", async () => {
    const account = sandbox.account();
    const { made } = await recordOf(account, "payments", { amount: 20_000, settled: true });
    expect(made).toMatchObject({ amount: 20_000, status: "success" });
    const { body } = await call(account, "GET", "/v1/business/overview");
    expect(body.available).toBe(body.balance);
    expect(body.available).toBeGreaterThan(19_000);
  });
});

test("moves are made in order, with their input", async () => {
  const account = sandbox.account();
  const moves = [
    "connect",
    "scan",
    { move: "connect_website", with: { url: "http://127.0.0.1:9/verified" } },
  ];
  const { id } = await recordOf(account, "channels", { moves });
  const { history } = await account.records.get(id);
  expect(history.map(({ move }) => move).slice(-3)).toEqual(["connect", "scan", "connect_website"]);
});

test("an outcome has the same effect as the request header", async () => {
  const account = sandbox.account();
  const { given } = await load(account, { payments: [{ outcome: "held" }, { outcome: "pending" }] });
  expect((given.payments as Made[]).map(({ status }) => status)).toEqual(["held", "pending"]);
});

test("sections that others need are made if the scenario omits them, and otherwise as the scenario defines them", async () => {
  const { given } = await load(sandbox.account(), { payouts: [{}] });
  expect(Object.keys(given)).toEqual([
    "business",
    "payout_account",
    "virtual_accounts",
    "payments",
    "payouts",
  ]);
  const own = await load(sandbox.account(), {
    business: { business_name: "Bola Foods" },
    payments: [{ amount: 90_000, settled: true }],
    payouts: [{ amount: 80_000 }],
  });
  expect(own.given).toMatchObject({
    business: { business_name: "Bola Foods" },
    payments: [{ amount: 90_000 }],
    payouts: [{ amount: 80_000 }],
  });
});

test("later sections and rules can refer to earlier records", async () => {
  const account = sandbox.account();
  const { given } = await load(
    account,
    {
      virtual_accounts: [{}, { customer_name: "Bola Ade" }],
      payments: [{ virtual_account_id: ref("given.virtual_accounts.1.id"), amount: 700 }],
    },
    {
      rules: [
        {
          on: "createRefund",
          when: { body: { payment_id: ref("given.payments.0.payment_id") } },
          outcome: "rejected",
        },
      ],
    },
  );
  const [{ payment_id }] = given.payments as [{ payment_id: string }];
  const { record } = await account.records.get(payment_id);
  expect(record).toMatchObject({ payer_name: "Bola Ade", amount: 700 });
  expect((await account.rules.list())[0]?.when).toEqual({ body: { payment_id } });
});
