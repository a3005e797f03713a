/** Pays out. Bug: a payout whose reply was lost is made again, without a look at whether it took effect. */
import assert from "node:assert";
import { given, isRepaired, lookFor, read, send, settled } from "./kit.mjs";

const order = () => send("POST", "/v1/business/payouts", { amount: 7_000 });

/** Returns the amount that is paid out. */
async function payOut() {
  try {
    return (await order()).amount;
  } catch (error) {
    if (error.status !== undefined) throw error;
    const isMade = isRepaired && (await lookFor("payout.requested", "NGN 7,000.00"));
    return isMade ? 7_000 : (await order()).amount;
  }
}

await given(settled);
const before = await read("/v1/business/overview");
assert.equal(await payOut(), 7_000);
const after = await read("/v1/business/overview");
assert.deepEqual([before.available, before.available - after.available], [19_800, 7_000]);
