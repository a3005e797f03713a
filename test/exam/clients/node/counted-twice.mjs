/** Adds up what customers paid. Bug: a webhook that arrives twice is counted twice. */
import assert from "node:assert";
import { given, isRepaired, receive, send, sleep, until } from "./kit.mjs";

let earned = 0;
await given({ virtual_accounts: [{}] });
const options = isRepaired ? {} : { isKnown: () => false };
await receive(({ event, data }) => {
  if (event === "payment.received") earned += data.amount;
}, options);
const { id } = await send("POST", "/v1/business/virtual-accounts", {
  customer_name: "Chidi Obi",
  customer_email: "chidi@example.com",
});
await send("POST", "/v1/business/test/simulate-payment", { virtual_account_id: id, amount: 5_000 });
await until(() => earned > 0);
await sleep(150);
assert.equal(earned, 5_000);
