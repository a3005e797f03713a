import { describe, expect, test } from "vitest";
import { compileValidator, detailsOf } from "../../../src/contract/validate.js";
import { type EventKind, payloadSchema } from "../../../src/service/webhooks/events.js";
import { expectedSignature, type Receiver, registerReceiver } from "../../support/receiver.js";
import { useSandbox } from "../../support/sandbox.js";
import { openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();

/** A shop, and a receiver of all its events. */
async function shopWithReceiver(mode: "test" | "live" = "test") {
  const shop = await openShop(sandbox.account({ mode }));
  const receiver = await registerReceiver(shop.account);
  return { shop, receiver, secret: receiver.secret };
}

/** Waits for all deliveries and returns those of this kind. */
async function arrived(shop: Shop, receiver: Receiver, kind: string) {
  const deliveries = await receiver.got((await shop.account.events.list()).length);
  const parsed = deliveries.map((delivery) => ({ ...delivery, payload: JSON.parse(String(delivery.body)) }));
  return parsed.filter(({ payload }) => payload.event === kind);
}

const aMinute = (shop: Shop) => shop.account.advance("1m");
const paid = async (shop: Shop): Promise<string> => (await shop.transfer(10_000)).payment_id;
const moved = async (shop: Shop, id: string, ...moves: string[]): Promise<string> => {
  for (const move of moves) await shop.move(id, move);
  return id;
};
const refunded = async (shop: Shop, outcome?: string): Promise<string> => {
  const { id } = await shop.refund(await paid(shop), 2_500, outcome);
  return id;
};
const paidOut = async (shop: Shop, outcome?: string): Promise<string> => {
  await shop.settledTransfer(10_000);
  await shop.setPayoutAccount();
  return (await shop.payout(5_000, outcome)).id;
};
const decided = async (shop: Shop, id: Promise<string>): Promise<string> => {
  const known = await id;
  await aMinute(shop);
  return known;
};

/** Triggers each kind of event and returns the id of its record. */
const causes: Record<
  Exclude<EventKind, "verification" | "verification.completed">,
  (shop: Shop) => Promise<string>
> = {
  "virtual_account.created": (shop) => shop.number,
  "payment.received": paid,
  "payment.settled": (shop) => shop.settledTransfer(10_000),
  "payment.failed": async (shop) => (await shop.transfer(10_000, "failed")).payment_id,
  "payment.issue": async (shop) => moved(shop, await paid(shop), "raise_issue"),
  "payment.issue_resolved": async (shop) => moved(shop, await paid(shop), "raise_issue", "resolve_issue"),
  "refund.requested": refunded,
  "refund.processed": (shop) => decided(shop, refunded(shop)),
  "refund.rejected": (shop) => decided(shop, refunded(shop, "rejected")),
  "refund.failed": (shop) => decided(shop, refunded(shop, "failed")),
  "payout.requested": paidOut,
  "payout.paid": (shop) => decided(shop, paidOut(shop)),
  "payout.failed": (shop) => decided(shop, paidOut(shop, "failed")),
  "payout.rejected": (shop) => decided(shop, paidOut(shop, "rejected")),
};

/** Returns the resource from its list; payouts and refunds have no list and are read over the control API. */
async function resource(shop: Shop, id: string): Promise<object> {
  if (id.startsWith("pay_")) return shop.payment(id);
  if (!id.startsWith("va_")) return (await shop.account.records.get(id)).record;
  const [{ payments: _count, total_received: _total, ...account }] = (
    await shop.got("GET", "/virtual-accounts")
  ).accounts;
  return account;
}

const statuses: Record<string, string> = {
  "payment.received": "success",
  "payment.settled": "success",
  "payment.failed": "failed",
  "payment.issue": "held",
  "payment.issue_resolved": "success",
};
const statusAfter = (kind: string) => statuses[kind] ?? kind.replace(/^(?:refund|payout)\./, "");

describe.each(Object.entries(causes))("%s", (kind, cause) => {
  test("is delivered once, signed, with the resource as listed at that moment", async () => {
    const { shop, receiver, secret } = await shopWithReceiver();
    const id = await cause(shop);
    const [delivery, ...more] = await arrived(shop, receiver, kind);
    expect(more).toEqual([]);
    if (!delivery) throw new Error(`${kind} did not arrive`);
    expect(delivery.headers["x-service-signature"]).toBe(expectedSignature(delivery.body, secret));
    expect(delivery.payload.data).toEqual(await resource(shop, id));
    expect(delivery.payload.data.id).toBe(id);
    if (kind !== "virtual_account.created") expect(delivery.payload.data.status).toBe(statusAfter(kind));
  });

  test("matches its payload schema, and is in the activity log with its time and a message", async () => {
    const { shop, receiver } = await shopWithReceiver();
    await cause(shop);
    const [delivery] = await arrived(shop, receiver, kind);
    const validate = await compileValidator(payloadSchema(kind as EventKind));
    expect(validate(delivery?.payload), JSON.stringify(detailsOf(validate))).toBe(true);
    expect(delivery?.payload).toMatchObject({ event: kind, is_test: true });
    const { events } = await shop.got("GET", "/events");
    expect(events[0]).toEqual({
      kind,
      message: expect.stringMatching(/^[A-Z].* .*\.$/),
      created_at: delivery?.payload.created_at,
    });
  });
});

test("the table above has the fourteen business kinds of the interface", () => {
  expect(Object.keys(causes)).toHaveLength(14);
});

test("the events of a live key say is_test: false", async () => {
  const { shop, receiver } = await shopWithReceiver("live");
  await shop.cardPayment(5_000);
  const [delivery] = await arrived(shop, receiver, "payment.received");
  expect(delivery?.payload).toMatchObject({ is_test: false, data: { method: "card", test: false } });
});

test("a card that is declined and then pays sends payment.failed and then payment.received", async () => {
  const { shop, receiver } = await shopWithReceiver();
  const charge = await shop.charge(5_000);
  await shop.atCheckout(charge, { card: "4000000000000002" });
  const [failed] = await arrived(shop, receiver, "payment.failed");
  expect(failed?.payload.data).toMatchObject({ status: "failed", paid_at: null });
  await shop.atCheckout(charge, { card: "4242424242424242" });
  const [received] = await arrived(shop, receiver, "payment.received");
  expect(received?.payload.data).toEqual(await shop.payment(failed?.payload.data.id));
});

test("a request that is refused sends nothing", async () => {
  const { shop, receiver } = await shopWithReceiver();
  const id = await paid(shop);
  await receiver.got(2);
  const headers = { "X-Sandbox-Outcome": "provider_unavailable" };
  await shop.ask("POST", "/refunds", { payment_id: id, reason: "Returned goods" }, headers);
  await shop.ask("POST", "/payouts", { amount: 100 });
  await shop.account.advance("1m");
  expect(receiver.received).toHaveLength(2);
});
