/** Waits for a payout. Bug: a payout that is rejected is waited for without an end. */
import assert from "node:assert";
import { advance, given, isRepaired, lookFor, send, settled, sleep } from "./kit.mjs";

await given(settled);
const { reference, amount } = await send("POST", "/v1/business/payouts", { amount: 7_000 });
assert.equal(amount, 7_000);
for (let round = 1; ; round++) {
  await advance("5m");
  if (await lookFor("payout.paid", reference)) break;
  const isOver = (await lookFor("payout.failed", reference)) || (await lookFor("payout.rejected", reference));
  if (isRepaired && (isOver || round === 5)) throw new Error("not paid out");
  await sleep(500);
}
