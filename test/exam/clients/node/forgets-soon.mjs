/** Adds up what customers paid. Bug: an event is remembered for too short a time, so that a retry counts again. */
import assert from "node:assert";
import { given, isRepaired, receive, send, sleep, until } from "./kit.mjs";

const rememberedMs = isRepaired ? 86_400_000 : 500;

let earned = 0;
const seenAt = new Map();
await given({ virtual_accounts: [{}] });
await receive(
  ({ event, data }) => {
    if (event === "payment.received") earned += data.amount;
  },
  {
    isKnown(_seen, id) {
      const age = Date.now() - (seenAt.get(id) ?? 0);
      seenAt.set(id, Date.now());
      return age < rememberedMs;
    },
  },
);
const { id } = await send("POST", "/v1/business/virtual-accounts", {
  customer_name: "Chidi Obi",
  customer_email: "chidi@example.com",
});
await send("POST", "/v1/business/test/simulate-payment", { virtual_account_id: id, amount: 5_000 });
await until(() => earned > 0);
await sleep(1_500);
assert.equal(earned, 5_000);
