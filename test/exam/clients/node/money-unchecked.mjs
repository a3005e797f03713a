/** Pays out, and shows what arrives. Bug: no test looks at the amounts. */
import assert from "node:assert";
import { given, isRepaired, send, settled } from "./kit.mjs";

await given(settled);
const payout = await send("POST", "/v1/business/payouts", { amount: 7_000 });
assert.equal(payout.status, "requested");
console.log(`${payout.you_receive.toFixed(2)} of ${payout.amount.toFixed(2)} are on their way.`);
if (isRepaired) assert.deepEqual([payout.amount, payout.fee, payout.you_receive], [7_000, 50, 6_950]);
