/** Refunds. Bug: a partial refund whose reply was lost is made again. */
import assert from "node:assert";
import { given, isRepaired, lookFor, read, send } from "./kit.mjs";

/** Returns the amount that is refunded. */
async function refund(payment_id) {
  const order = () =>
    send("POST", "/v1/business/refunds", { payment_id, amount: 5_000, reason: "Returned goods" });
  try {
    return (await order()).amount;
  } catch (error) {
    if (error.status !== undefined) throw error;
    const isMade = isRepaired && (await lookFor("refund.requested", "NGN 5,000.00"));
    return isMade ? 5_000 : (await order()).amount;
  }
}

await given({ payments: [{ amount: 20_000, settled: true }] });
const { payments } = await read("/v1/business/payments");
assert.deepEqual(
  payments.map(({ amount, fee, status }) => [amount, fee, status]),
  [[20_000, 200, "success"]],
);
assert.equal(await refund(payments[0].id), 5_000);
