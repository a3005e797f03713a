/** Shows the wallet. Bug: a read that is refused for a second is given up. */
import assert from "node:assert";
import { isRepaired, read, send } from "./kit.mjs";

const { balance, currency } = isRepaired ? await read("/v1/balance") : await send("GET", "/v1/balance");
assert.deepEqual([balance, currency], [1_000_000, "NGN"]);
