/** Charges a customer. Bug: a charge whose reply was lost is created again, so that the customer gets two links. */
import assert from "node:assert";
import { given, isRepaired, read, send } from "./kit.mjs";

const order = {
  amount: 5_000,
  customer_name: "Chidi Obi",
  customer_email: "chidi@example.com",
  description: "Order 1042",
  reference: "order-1042",
};

async function charge() {
  try {
    const { payment } = await send("POST", "/v1/business/charges", order);
    return payment;
  } catch (error) {
    if (error.status !== undefined) throw error;
    const again = async () =>
      (await send("POST", "/v1/business/charges", { ...order, reference: "again" })).payment;
    if (!isRepaired) return again();
    const { payments } = await read("/v1/business/payments");
    return payments[0] ?? again();
  }
}

await given({ business: {} });
const payment = await charge();
assert.deepEqual([payment.amount, payment.status], [5_000, "pending"]);
