/** Follows a payout. Bug: a webhook of a payout that is not saved yet is dropped. */
import assert from "node:assert";
import { given, isRepaired, receive, send, settled, until } from "./kit.mjs";

const payouts = new Map();
const early = new Map();
await given(settled);
await receive(({ event, data }) => {
  if (event !== "payout.requested") return;
  if (payouts.has(data.id)) payouts.set(data.id, "requested");
  else early.set(data.id, "requested");
});
const { id, amount } = await send("POST", "/v1/business/payouts", { amount: 7_000 });
assert.equal(amount, 7_000);
payouts.set(id, (isRepaired && early.get(id)) || "sent");
await until(() => payouts.get(id) === "requested" || (isRepaired && early.get(id)), 4_000);
