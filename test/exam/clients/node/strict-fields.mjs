/** Looks up a BVN. Bug: a reply with a field that the client does not know is refused. */
import assert from "node:assert";
import { isRepaired, read } from "./kit.mjs";

const known = ["balance", "currency", "low_balance", "free_tier_remaining", "text"];
const reply = await read("/v1/balance");
const unknown = Object.keys(reply).filter((name) => !known.includes(name));
if (!isRepaired && unknown.length > 0) throw new Error(`unknown fields: ${unknown}`);
assert.deepEqual([reply.balance, reply.currency], [1_000_000, "NGN"]);
