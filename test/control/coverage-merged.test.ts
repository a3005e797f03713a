import { describe, expect, test } from "vitest";
import { openShop } from "../service/business/shop.js";
import { call, post, useSandbox } from "../support/sandbox.js";
import { events, merged, operation, outcomes, phone, start, transitions, unused } from "./covered.js";

const sandbox = useSandbox();

describe("transitions and events", () => {
  test("count whether a request, the clock or a move by hand made them", async () => {
    const account = sandbox.account();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await start(account)).body.id);
    await account.records.move(ids[0], "lock");
    const { codes } = await account.inbox.wait();
    await post(account, "/v1/phone/verify/check", { id: ids[2], code: codes[0] });
    for (const code of (await account.inbox.list()).flatMap(({ codes }) => codes))
      await post(account, "/v1/phone/verify/check", { id: ids[2], code });
    await account.advance("11m");
    expect(transitions(await account.coverage())).toEqual({
      "phone_verification send: new → pending": 3,
      "phone_verification lock: pending → max_attempts_reached": 1,
      "phone_verification verify: pending → verified": 1,
      "phone_verification expire: pending → expired": 1,
    });
  });

  test("a move from several states counts for the state that it left; a computed target is marked", async () => {
    const account = sandbox.account();
    const shop = await openShop(account);
    const { payment_id } = await shop.transfer(5_000);
    await shop.move(payment_id, "raise_issue");
    await shop.move(payment_id, "resolve_issue");
    const seen = transitions(await account.coverage());
    expect(seen).toMatchObject({
      "payment succeed: pending → computed": 1,
      "payment raise_issue: success → held": 1,
      "payment resolve_issue: held → computed": 1,
    });
    expect(Object.keys(seen)).not.toContain("payment raise_issue: pending → held");
  });

  test("what a refusal rolled back does not count", async () => {
    const account = sandbox.account();
    await account.update({ balance: 0 });
    expect((await start(account)).status).toBe(402);
    await start(account, phone, { "X-Sandbox-Outcome": "internal_error" });
    const report = await account.coverage();
    expect(operation(report, "startPhoneVerification")?.statuses).toEqual({ 402: 1, 500: 1 });
    expect([transitions(report), events(report)]).toEqual([{}, {}]);
  });

  test("an illegal move does not count", async () => {
    const account = sandbox.account();
    const { body } = await start(account);
    await account.records.move(body.id, "verify");
    await expect(account.records.move(body.id, "lock")).rejects.toMatchObject({ code: "invalid_state" });
    expect(transitions(await account.coverage())).toEqual({
      "phone_verification send: new → pending": 1,
      "phone_verification verify: pending → verified": 1,
    });
  });

  test("events triggered by hand do not count, but their deliveries do", async () => {
    const account = sandbox.account();
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" });
    await account.events.trigger("payout.paid");
    const shop = await openShop(account);
    await shop.createNumber();
    const report = await account.coverage();
    expect(events(report)).toEqual({ "virtual_account.created": 1 });
    expect(transitions(report)).toMatchObject({ "delivery send: new → pending": 2 });
    await account.advance("1h");
    expect(transitions(await account.coverage())).toMatchObject({
      "delivery record_attempt: pending → computed": 12,
    });
  });
});

describe("the accounts of a sandbox", () => {
  test("are merged, and each has a report of its own", async () => {
    const fresh = await unused();
    const [one, other] = [fresh.account(), fresh.account()];
    await start(one);
    await start(other);
    await call(other, "GET", "/v1/balance");
    const all = await merged(one);
    expect(operation(all, "startPhoneVerification")).toMatchObject({ calls: 2, statuses: { 201: 2 } });
    expect(outcomes(all, "startPhoneVerification")).toEqual({ sent: 2 });
    expect(transitions(all)).toEqual({ "phone_verification send: new → pending": 2 });
    expect(all.summary.operations.exercised).toBe(2);
    expect(await other.control("GET", "/coverage?scope=all")).toEqual(all);
    const own = await one.coverage();
    expect(operation(own, "startPhoneVerification")?.calls).toBe(1);
    expect(operation(own, "getBalance")?.calls).toBe(0);
    expect(transitions(own)).toEqual({ "phone_verification send: new → pending": 1 });
  });

  test("a reset or a restore empties the account's report, but not that of the sandbox", async () => {
    const fresh = await unused();
    const account = fresh.account();
    const empty = await account.snapshot();
    await start(account);
    await account.reset();
    expect((await account.coverage()).summary.operations.exercised).toBe(0);
    await start(account);
    await account.restore(empty);
    expect((await account.coverage()).summary.transitions.exercised).toBe(0);
    await start(account);
    expect(operation(await account.coverage(), "startPhoneVerification")?.calls).toBe(1);
    const all = await merged(account);
    expect(operation(all, "startPhoneVerification")?.calls).toBe(3);
    expect(transitions(all)).toEqual({ "phone_verification send: new → pending": 3 });
  });

  test("a reset of the coverage returns the last report and empties those of all accounts", async () => {
    const fresh = await unused();
    const [one, other] = [fresh.account(), fresh.account()];
    await start(one);
    await start(other);
    const before = await merged(one);
    expect(await one.control("DELETE", "/coverage")).toEqual(before);
    for (const report of [await merged(one), await one.coverage(), await other.coverage()])
      expect(report.summary.operations.exercised).toBe(0);
    await start(other);
    expect(operation(await merged(one), "startPhoneVerification")?.calls).toBe(1);
    expect(transitions(await other.coverage())).toEqual({ "phone_verification send: new → pending": 1 });
  });

  test("the coverage of one account can be reset without that of the sandbox", async () => {
    const fresh = await unused();
    const account = fresh.account();
    await start(account);
    await account.control("DELETE", "/coverage?scope=account");
    expect((await account.coverage()).summary.operations.exercised).toBe(0);
    await start(account);
    expect(operation(await merged(account), "startPhoneVerification")?.calls).toBe(2);
  });

  test("an unknown scope is refused", async () => {
    await expect(sandbox.account().control("GET", "/coverage?scope=mine")).rejects.toMatchObject({
      status: 400,
      code: "validation_error",
    });
  });
});
