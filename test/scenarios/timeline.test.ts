import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { ScenarioState } from "../../src/client/account/types.js";
import type { SandboxAccount } from "../../src/index.js";
import { startReceiver } from "../support/receiver.js";
import { post, useSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";
import { ref } from "./files.js";

const sandbox = useSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const pay = { do: "simulate_payment", with: { amount: 900 } };

/** The clock is frozen at 2026-03-01T00:00Z. */
const load = (account: SandboxAccount, timeline: object[], given: object = {}) =>
  account.scenario.load({
    name: "A story",
    given: { clock: "2026-03-01T00:00:00Z", virtual_accounts: [{}], ...given },
    timeline,
  });

const timelineOf = async (account: SandboxAccount) =>
  (await account.control<{ loaded: ScenarioState }>("GET", "/scenarios")).loaded.timeline;

/** Returns the times at which the timeline ran, without the year. */
const ranAt = ({ ran }: { ran: { at: string; kind: string }[] }) =>
  ran.filter(({ kind }) => kind === "timeline").map(({ at }) => at);

describe("an entry runs", () => {
  test("after its delay, and the account shows its progress", async () => {
    const account = sandbox.account();
    await load(account, [{ after: "30s", ...pay }]);
    expect(await timelineOf(account)).toEqual([
      {
        do: "simulate_payment",
        says: "Simulate a transfer to a virtual account",
        ran: 0,
        next_at: "2026-03-01T00:00:30.000Z",
        error: null,
      },
    ]);
    const { ran } = await account.advance("1m");
    expect(ran).toEqual([
      {
        at: "2026-03-01T00:00:30.000Z",
        kind: "timeline",
        do: "simulate_payment",
        says: 'Simulate a transfer to a virtual account, as "A story" has it.',
      },
    ]);
    expect(await account.events.list({ event: "payment.received" })).toMatchObject([
      { created_at: "2026-03-01T00:00:30.000Z", data: { amount: 900 } },
    ]);
    expect(await timelineOf(account)).toMatchObject([{ ran: 1, next_at: null, error: null }]);
  });

  test("at its instant, in any time zone, or at once if that has passed", async () => {
    const account = sandbox.account();
    await load(account, [
      { at: "2026-03-02T09:00:00+01:00", ...pay },
      { at: "2026-02-01T00:00:00Z", ...pay },
    ]);
    const { ran } = await account.advance("3d");
    expect(ranAt({ ran })).toEqual(["2026-03-02T08:00:00.000Z"]);
    const payments = await account.events.list({ event: "payment.received" });
    expect(payments.map(({ created_at }) => created_at)).toEqual([
      "2026-03-02T08:00:00.000Z",
      "2026-03-01T00:00:00.000Z",
    ]);
  });

  test("as for a client: with an outcome, with references to given, by either spelling of its id", async () => {
    const account = sandbox.account();
    await load(
      account,
      [
        { after: "1s", do: "simulatePayment", with: { amount: 500, outcome: "held" } },
        { after: "2s", do: "move_record", with: { id: ref("given.audits.0.id"), move: "complete" } },
        { after: "3s", do: "trigger_event", with: { event: "payout.paid", data: { amount: 1 } } },
        { after: "4s", do: "update_account", with: { balance: 5 } },
      ],
      { audits: [{}] },
    );
    await account.advance("5s");
    expect(await timelineOf(account)).toMatchObject(Array(4).fill({ ran: 1, error: null }));
    expect((await account.events.list()).map(({ event }) => event)).toContain("payout.paid");
    expect(await account.update({})).toMatchObject({ balance: 5 });
    const [audit] = ((await account.control<{ loaded: ScenarioState }>("GET", "/scenarios")).loaded.given
      .audits ?? []) as [{ id: string }];
    expect((await account.records.get(audit.id)).history.at(-1)).toMatchObject({
      at: "2026-03-01T00:00:02.000Z",
      move: "complete",
    });
  });

  test("in the order of the file, in turn with other jobs due at the same instant", async () => {
    const account = sandbox.account();
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await post(account, "/v1/webhooks", { url: receiver.url });
    await load(
      account,
      [
        { after: "1m", do: "create_payout", with: { amount: 3000 } },
        { after: "2m", ...pay },
        { after: "2m", do: "set_payout_account", with: { bank_code: "058", account_number: "1111111111" } },
        { after: "2m", do: "create_payout", with: { amount: 2000 } },
      ],
      { payments: [{ amount: 20_000, settled: true }], payout_account: {} },
    );
    const { ran } = await account.advance("2m");
    const seen = ran
      .filter(({ kind }) => kind === "timeline" || kind === "move")
      .map(({ at, do: what, move }) => [at.slice(14, 19), what ?? move]);
    expect(seen).toEqual([
      ["01:00", "create_payout"],
      ["02:00", "simulate_payment"],
      ["02:00", "set_payout_account"],
      ["02:00", "create_payout"],
      ["02:00", "pay"],
    ]);
    const got = receiver.received.map(({ body }) => JSON.parse(body.toString()).event);
    expect(got.filter((event) => event !== "payment.settled").slice(-4)).toEqual(
      expect.arrayContaining(["payout.requested", "payment.received", "payout.requested", "payout.paid"]),
    );
    expect((await account.events.list()).slice(0, 3).map(({ event }) => event)).toEqual([
      "payout.paid",
      "payout.requested",
      "payment.received",
    ]);
  });

  test("on its own while the clock is running", async () => {
    const account = sandbox.account();
    await account.scenario.load({
      name: "A story",
      given: { virtual_accounts: [{}] },
      timeline: [
        { after: "20ms", ...pay },
        { cron: "* * * * * *", times: 1, ...pay },
      ],
    });
    expect(await account.webhooks.wait({ event: "payment.received" })).toMatchObject({
      data: { amount: 900 },
    });
    await until("both ran", async () => (await timelineOf(account)).every(({ ran }) => ran === 1));
  });
});

describe("a refusal of an entry", () => {
  test("is reported, and stops neither that entry nor the others", async () => {
    const account = sandbox.account();
    await load(account, [
      { cron: "*/10 * * * *", do: "create_payout", with: { amount: 3000 } },
      { cron: "*/20 * * * *", ...pay },
      { after: "1s", do: "move_record", with: { id: ref("given.virtual_accounts.0.id"), move: "fly" } },
      {
        after: "1s",
        do: "move_record",
        with: { id: ref("given.virtual_accounts.7.id"), move: "deactivate" },
      },
    ]);
    const { ran } = await account.advance("1h");
    expect(ran.find((one) => one.do === "create_payout")).toMatchObject({
      error: expect.stringMatching(/^\w+: /),
    });
    expect(await timelineOf(account)).toMatchObject([
      {
        ran: 6,
        error: expect.stringMatching(/^payout_account_\w+: |^\w+: /),
        next_at: "2026-03-01T01:10:00.000Z",
      },
      { ran: 3, error: null },
      { ran: 1, error: expect.stringContaining("fly does not move a virtual_account"), next_at: null },
      { ran: 1, error: expect.stringContaining("names nothing") },
    ]);
  });

  test("is cleared by the next success", async () => {
    const account = sandbox.account();
    await load(account, [{ cron: "* * * * *", times: 2, do: "start_phone_verification" }], {
      account: { balance: 0 },
    });
    await account.advance("1m");
    expect(await timelineOf(account)).toMatchObject([
      { error: expect.stringMatching(/^insufficient_balance: /) },
    ]);
    await account.update({ balance: 1000 });
    await account.advance("1m");
    expect(await timelineOf(account)).toMatchObject([{ ran: 2, error: null, next_at: null }]);
  });
});

describe("a timeline ends", () => {
  test("of a cron entry after its number of runs", async () => {
    const account = sandbox.account();
    await load(account, [{ cron: "0 * * * *", times: 3, ...pay }]);
    expect(ranAt(await account.advance("24h"))).toHaveLength(3);
    expect((await timelineOf(account))[0]).toMatchObject({ ran: 3, next_at: null });
  });

  test.each<[string, (account: SandboxAccount) => Promise<unknown>]>([
    ["a reset", (account) => account.reset()],
    ["leaving", (account) => account.scenario.leave("a-story")],
  ])("with %s", async (_what, end) => {
    const account = sandbox.account();
    await load(account, [{ cron: "* * * * *", ...pay }]);
    await account.advance("2m");
    await end(account);
    expect(ranAt(await account.advance("10m"))).toEqual([]);
  });
});
