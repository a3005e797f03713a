/** Follows a payout. Bug: the webhook is expected within a fixed time. */
import assert from "node:assert";
import { given, isRepaired, receive, send, settled, sleep, until } from "./kit.mjs";

const seen = [];
await given(settled);
await receive(({ event }) => seen.push(event));
const { amount } = await send("POST", "/v1/business/payouts", { amount: 7_000 });
assert.equal(amount, 7_000);
if (isRepaired) await until(() => seen.includes("payout.requested"));
else await sleep(400);
assert.ok(seen.includes("payout.requested"));
