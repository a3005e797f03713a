import { describe, expect, test } from "vitest";
import { eventKinds } from "../../../src/service/webhooks/events.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { openShop, Shop } from "./shop.js";

const sandbox = useSandbox();

/** Triggers kinds of business events, one after the other. */
async function liveThroughAll(shop: Shop) {
  const { payment_id: paid } = await shop.transfer(10_000);
  const { payment_id: failed } = await shop.transfer(20_000, "failed");
  await shop.account.advance("24h");
  await shop.move(paid, "raise_issue");
  await shop.move(paid, "resolve_issue");
  await shop.setPayoutAccount();
  const decided: { id: string; reference: string }[] = [];
  for (const outcome of ["processed", "rejected", "failed"]) {
    decided.push(await shop.refund(paid, 1_000, outcome));
    await shop.account.advance("1m");
  }
  for (const outcome of ["paid", "failed", "rejected"]) {
    decided.push(await shop.payout(1_000.5, outcome));
    await shop.account.advance("1m");
  }
  return { paid, failed, references: decided.map(({ reference }) => reference) };
}

describe("the activity log", () => {
  test("is empty on a fresh account, and needs no profile", async () => {
    expect(await new Shop(sandbox.account()).got("GET", "/events")).toEqual({ events: [] });
  });

  test("lists the events of the business, newest first, at the times of the events", async () => {
    const shop = await openShop(sandbox.account());
    await liveThroughAll(shop);
    const { events } = await shop.got("GET", "/events");
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual([
      "payout.rejected",
      "payout.requested",
      "payout.failed",
      "payout.requested",
      "payout.paid",
      "payout.requested",
      "refund.failed",
      "refund.requested",
      "refund.rejected",
      "refund.requested",
      "refund.processed",
      "refund.requested",
      "payment.issue_resolved",
      "payment.issue",
      "payment.settled",
      "payment.failed",
      "payment.received",
      "virtual_account.created",
    ]);
    const sent = await shop.account.events.list();
    expect(events.map(({ created_at }: { created_at: string }) => created_at)).toEqual(
      sent.map(({ created_at }) => created_at),
    );
    expect(
      events
        .map(({ created_at }: { created_at: string }) => created_at)
        .sort()
        .reverse(),
    ).toEqual(events.map(({ created_at }: { created_at: string }) => created_at));
  });

  test("describes each event in a sentence, with amounts to the kobo", async () => {
    const shop = await openShop(sandbox.account());
    const { paid, failed, references } = await liveThroughAll(shop);
    const [{ account_number }] = (await shop.got("GET", "/virtual-accounts")).accounts;
    const { events } = await shop.got("GET", "/events");
    const transfer = (id: string, amount: string) => `Transfer ${id} of NGN ${amount} from Chidi Obi`;
    const refund = (at: number) => `Refund ${references[at]} of NGN 1,000.00`;
    const payout = (at: number) =>
      `Payout ${references[at]} of NGN 1,000.50 to Guaranty Trust Bank 1111111111`;
    expect(events.map(({ message }: { message: string }) => message).reverse()).toEqual([
      `Account number ${account_number} created for Chidi Obi.`,
      `${transfer(paid, "10,000.00")} received.`,
      `${transfer(failed, "20,000.00")} failed.`,
      `${transfer(paid, "10,000.00")} settled.`,
      `${transfer(paid, "10,000.00")} held: a problem was found.`,
      `${transfer(paid, "10,000.00")} cleared: the problem is resolved.`,
      `${refund(0)} requested.`,
      `${refund(0)} processed.`,
      `${refund(1)} requested.`,
      `${refund(1)} rejected.`,
      `${refund(2)} requested.`,
      `${refund(2)} failed.`,
      `${payout(3)} requested.`,
      `${payout(3)} paid.`,
      `${payout(4)} requested.`,
      `${payout(4)} failed; the amount is back in the balance.`,
      `${payout(5)} requested.`,
      `${payout(5)} rejected; the amount is back in the balance.`,
    ]);
  });

  test("names card payments as such", async () => {
    const shop = await openShop(sandbox.account());
    const id = await shop.cardPayment(12_345.67);
    const { events } = await shop.got("GET", "/events");
    expect(events).toMatchObject([
      { message: `Card payment ${id} of NGN 12,345.67 from Chidi Obi received.` },
    ]);
  });

  test("does not list events that a tester has triggered", async () => {
    const shop = await openShop(sandbox.account());
    await shop.transfer(10_000);
    const before = await shop.got("GET", "/events");
    for (const kind of eventKinds) await shop.account.events.trigger(kind);
    await shop.account.events.trigger("payment.received", { anything: true });
    expect(await shop.got("GET", "/events")).toEqual(before);
    expect(await shop.account.events.list()).toHaveLength(2 + eventKinds.length + 1);
    await shop.transfer(20_000);
    expect(await shop.kinds()).toEqual(["virtual_account.created", "payment.received", "payment.received"]);
  });

  test("does not list the events of verifications", async () => {
    const shop = await openShop(sandbox.account());
    const address = { address: "12 Allen Avenue, Ikeja, Lagos", full_name: "Chioma Eze", country: "NG" };
    const { body } = await post(shop.account, "/v1/verify/address", address);
    const { latitude, longitude } = body.address;
    const position = { latitude, longitude, accuracy_m: 10 };
    await post(shop.account, `/v1/verify/address/${body.id}/location`, position);
    expect(await shop.account.events.list()).toMatchObject([{ event: "verification.completed" }]);
    expect(await shop.kinds()).toEqual([]);
  });

  test("is separate for each account", async () => {
    const [one, other] = [await openShop(sandbox.account()), await openShop(sandbox.account())];
    await one.transfer(10_000);
    expect(await other.kinds()).toEqual([]);
  });

  test("is kept by a snapshot that is restored on another account", async () => {
    const [one, other] = [await openShop(sandbox.account()), await openShop(sandbox.account())];
    await liveThroughAll(one);
    await one.account.events.trigger("payout.paid");
    await other.account.restore(await one.account.snapshot());
    expect(await other.got("GET", "/events")).toEqual(await one.got("GET", "/events"));
    expect(await other.overview()).toEqual(await one.overview());
  });
});
