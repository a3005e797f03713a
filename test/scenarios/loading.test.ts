import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../src/index.js";
import { startReceiver } from "../support/receiver.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";

const sandbox = useListeningSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const load = (account: SandboxAccount, parts: object, keep = false) =>
  account.scenario.load({ name: "A story", ...parts }, { keep });

const loaded = async (account: SandboxAccount) =>
  (await account.control<{ loaded: { name: string } | null }>("GET", "/scenarios")).loaded;

const endpoint = (account: SandboxAccount, url = "http://127.0.0.1:9/hook") =>
  post(account, "/v1/webhooks", { url });

describe("loading", () => {
  test("empties the account except for its endpoints, which keep their secret", async () => {
    const account = sandbox.account();
    const { secret } = (await endpoint(account)).body;
    const copy = sandbox.account();
    await copy.restore(await account.snapshot());
    await post(copy, "/v1/phone/verify/start", { phone: "+2348031234567" });
    await copy.rules.add({ on: "verifyBvn", outcome: "no_match" });
    await load(copy, {});
    expect(await copy.inbox.list()).toEqual([]);
    expect(await copy.rules.list()).toEqual([]);
    expect((await copy.clock.get()).mode).toBe("running");
    expect(await copy.webhooks.list()).toMatchObject([{ url: "http://127.0.0.1:9/hook", secret }]);
  });

  test("keeps the registration of the key", async () => {
    const strict = await startSandbox({ registeredKeysOnly: true });
    onTestFinished(() => strict.close());
    const account = strict.account();
    await account.control("POST", "/keys", { key: account.key });
    await load(account, {});
    expect((await account.fetch("/v1/balance")).status).toBe(200);
  });

  test("with keep leaves existing records", async () => {
    const account = sandbox.account();
    await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
    const own = await account.rules.add({ on: "verifyBvn", outcome: "no_match" });
    await load(account, { given: { people: [{}] }, rules: [{ on: "verifyNin", outcome: "no_match" }] }, true);
    expect(await account.inbox.list()).toHaveLength(1);
    expect((await account.rules.list()).map(({ id, on }) => (id === own.id ? "own" : on))).toEqual([
      "verifyNin",
      "own",
    ]);
  });

  test("freezes the clock at the scenario's time, which its records have", async () => {
    const account = sandbox.account();
    const state = await load(account, { given: { clock: "2026-03-01T09:00:00+01:00", audits: [{}] } });
    expect(await account.clock.get()).toMatchObject({ now: "2026-03-01T08:00:00.000Z", mode: "frozen" });
    expect(state).toMatchObject({ loaded_at: "2026-03-01T08:00:00.000Z", given: { audits: [{}] } });
    const [{ id }] = state.given.audits as [{ id: string }];
    expect((await account.records.get(id)).history[0]?.at).toBe("2026-03-01T08:00:00.000Z");
  });

  test("with keep advances to the scenario's time, and runs what is due on the way", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2026-03-01T09:00:00Z");
    const { body } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
    await load(account, { given: { clock: "2026-03-01T12:00:00Z" } }, true);
    expect(await account.clock.get()).toMatchObject({ now: "2026-03-01T12:00:00.000Z", mode: "frozen" });
    expect((await account.records.get(body.id)).state).toBe("expired");
  });

  test("with keep never sets the clock back", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2026-03-01T09:00:00Z");
    await expect(load(account, { given: { clock: "2026-02-28T09:00:00Z" } }, true)).rejects.toThrow(
      "given.clock: A clock cannot go back: at must be 2026-03-01T09:00:00.000Z or later.",
    );
    expect((await account.clock.get()).now).toBe("2026-03-01T09:00:00.000Z");
  });
});

describe("of two scenarios", () => {
  const first = {
    name: "The first",
    given: { virtual_accounts: [{}] },
    rules: [{ on: "createPayout", outcome: "failed" }],
    timeline: [{ after: "1h", do: "simulate_payment", with: { amount: 900 } }],
  };
  const second = {
    name: "The second",
    given: { virtual_accounts: [{}] },
    rules: [{ on: "createRefund", outcome: "failed" }],
    timeline: [
      { after: "2h", do: "simulate_payment", with: { amount: 700 } },
      { after: "3h", do: "simulate_payment", with: { amount: 800 } },
    ],
  };
  const amounts = async (account: SandboxAccount) =>
    (await account.events.list({ event: "payment.received" })).map(({ data }) => data.amount);

  test.each([false, true])(
    "the second replaces the rules and timeline of the first (keep: %s)",
    async (keep) => {
      const account = sandbox.account();
      await account.scenario.load(first);
      await account.scenario.load(second, { keep });
      expect(await loaded(account)).toMatchObject({ name: "the-second" });
      expect((await account.rules.list()).map(({ on, scenario }) => [on, scenario])).toEqual([
        ["createRefund", "the-second"],
      ]);
      await account.advance("4h");
      expect(await amounts(account)).toEqual([800, 700]);
    },
  );

  test("loading the same one again starts over, with each of its endpoints once", async () => {
    const account = sandbox.account();
    const story = { ...first, given: { ...first.given, webhooks: [{ url: "http://127.0.0.1:9/story" }] } };
    await endpoint(account);
    await account.scenario.load(story);
    await account.advance("2h");
    const again = await account.scenario.load(story);
    expect(again.timeline).toMatchObject([{ ran: 0, error: null, next_at: expect.any(String) }]);
    const urls = (await account.webhooks.list()).map(({ url }) => url);
    expect(urls).toEqual(["http://127.0.0.1:9/story", "http://127.0.0.1:9/hook"]);
  });

  test("loaded at the same time, both are loaded completely, one after the other", async () => {
    const account = sandbox.account();
    await Promise.all([account.scenario.load(first), account.scenario.load(second)]);
    expect(await account.rules.list()).toHaveLength(1);
    await account.advance("4h");
    const expected = (await loaded(account))?.name === "the-first" ? [900] : [800, 700];
    expect(await amounts(account)).toEqual(expected);
  });

  test("leaving one removes its rules and timeline, and keeps its records", async () => {
    const account = sandbox.account();
    const own = await account.rules.add({ on: "verifyBvn", outcome: "no_match" });
    await account.scenario.load(first, { keep: true });
    await expect(account.scenario.leave("the-second")).rejects.toMatchObject({
      status: 404,
      message: "The scenario the-second is not loaded onto the account; it has the-first.",
    });
    expect(await account.scenario.leave("the-first")).toEqual({ id: "the-first", deleted: true });
    expect(await loaded(account)).toBeNull();
    expect((await account.rules.list()).map(({ id }) => id)).toEqual([own.id]);
    await account.advance("4h");
    expect(await amounts(account)).toEqual([]);
    expect((await account.fetch("/v1/business/virtual-accounts")).status).toBe(200);
    await expect(account.scenario.leave("the-first")).rejects.toThrow("it has none");
  });
});

test("nothing can be loaded while the clock is being advanced", async () => {
  const account = sandbox.account();
  let answer = () => {};
  const receiver = await startReceiver((_count, response) => {
    answer = () => void response.end();
  });
  onTestFinished(() => receiver.close());
  await endpoint(account, receiver.url);
  await account.clock.freeze();
  await account.events.trigger("payout.paid");
  const advance = account.advance("1s");
  await until("the delivery", () => receiver.received.length === 1);
  await expect(load(account, {})).rejects.toMatchObject({ status: 409, code: "clock_busy" });
  answer();
  await advance;
  expect(await load(account, {})).toMatchObject({ name: "a-story" });
});

test("a built-in scenario is listed, read and loaded by name", async () => {
  const account = sandbox.account();
  const listed = (await account.scenario.list()).find(({ name }) => name === "payout-rejected");
  expect(listed).toMatchObject({ title: "Payout rejected", description: expect.any(String) });
  const whole = await account.control<{ steps: object[] }>("GET", "/scenarios/payout-rejected");
  expect(whole.steps).toHaveLength(listed?.steps ?? 0);
  expect(await account.scenario.load("payout-rejected")).toMatchObject({ name: "payout-rejected" });
  await expect(account.scenario.load("payout-rejectd")).rejects.toMatchObject({
    status: 404,
    message: 'There is no scenario "payout-rejectd"; the nearest is payout-rejected.',
  });
  await expect(account.scenario.load("../package")).rejects.toMatchObject({ status: 404 });
});
