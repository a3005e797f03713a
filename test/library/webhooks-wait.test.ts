import { describe, expect, test } from "vitest";
import { type EventKind, startSandbox } from "../../src/index.js";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

describe("a wait for an event", () => {
  test("returns earlier events, oldest first, each once", async () => {
    const account = sandbox.account();
    const first = await account.events.trigger("payout.paid", { n: 1 });
    const second = await account.events.trigger("payout.paid", { n: 2 });
    expect(first).toMatchObject(await account.webhooks.wait({ event: "payout.paid" }));
    expect(second).toMatchObject(await account.webhooks.wait({ event: "payout.paid" }));
    await expect(account.webhooks.wait({ event: "payout.paid", timeout: "1ms" })).rejects.toMatchObject({
      code: "wait_timeout",
    });
  });

  test("waits for a future event", async () => {
    const account = sandbox.account();
    const waiting = account.webhooks.wait({ event: "payment.received" });
    await account.scenario.load({ name: "Paid", given: { payments: [{ amount: 700 }] } }, { keep: true });
    expect(await waiting).toMatchObject({ event: "payment.received", data: { amount: 700 } });
  });

  test("returns each event once per filter: waits for one kind do not affect waits for any", async () => {
    const account = sandbox.account();
    const paid = await account.events.trigger("payout.paid");
    const failed = await account.events.trigger("payout.failed");
    expect(failed).toMatchObject(await account.webhooks.wait({ event: "payout.failed" }));
    expect(paid).toMatchObject(await account.webhooks.wait());
    expect(failed).toMatchObject(await account.webhooks.wait());
    expect(paid).toMatchObject(await account.webhooks.wait({ event: "payout.paid" }));
  });

  test("gives each of several waits for a kind a different event", async () => {
    const account = sandbox.account();
    const waiting = Array.from({ length: 20 }, () => account.webhooks.wait({ event: "payout.paid" }));
    const sent = [];
    for (let n = 0; n < 20; n++) sent.push(await account.events.trigger("payout.paid", { n }));
    const ids = (await Promise.all(waiting)).map(({ id }) => id);
    expect(ids.sort()).toEqual(sent.map(({ id }) => id).sort());
  });

  test("that times out names its duration and the newest event", async () => {
    const account = sandbox.account();
    await expect(account.webhooks.wait({ event: "payout.paid", timeout: "20ms" })).rejects.toMatchObject({
      name: "ControlError",
      code: "wait_timeout",
      message:
        "No new payout.paid came within 20 ms; there are no events yet.\nNothing has happened on the account yet.",
    });
    await account.events.trigger("payout.failed");
    await expect(account.webhooks.wait({ event: "payout.paid", timeout: "20ms" })).rejects.toThrow(
      "No new payout.paid came within 20 ms; the newest event is payout.failed.",
    );
  });

  test("accepts only known kinds and at most a minute", async () => {
    const account = sandbox.account();
    const lost = "payout.lost" as EventKind;
    await expect(account.webhooks.wait({ event: lost })).rejects.toMatchObject({ status: 400 });
    await expect(account.webhooks.wait({ timeout: "61s" })).rejects.toThrow("at most 60s");
    await expect(account.webhooks.wait({ timeout: "soon" })).rejects.toThrow("at most 60s");
  });

  test("starts over after a reset, and never returns another account's events", async () => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    await account.events.trigger("payout.paid");
    await account.webhooks.wait();
    await expect(other.webhooks.wait({ timeout: "1ms" })).rejects.toMatchObject({ code: "wait_timeout" });
    await account.reset();
    const again = await account.events.trigger("payout.paid");
    expect(again).toMatchObject(await account.webhooks.wait());
  });

  test("ends at once when the sandbox is closed", async () => {
    const own = await startSandbox();
    const account = own.account();
    await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
    const waiting = [
      account.webhooks.wait({ event: "payout.paid", timeout: "60s" }),
      account.inbox.wait({ to: "+2348055512345", timeout: "60s" }),
    ].map((wait) =>
      wait.then(
        () => "answered",
        (error: Error) => error.name,
      ),
    );
    await account.clock.get();
    await own.close();
    expect(await Promise.all(waiting)).toEqual(["ControlError", "ControlError"]);
  });
});
