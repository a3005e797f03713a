/** Shows the wallet. Bug: the client waits for a reply for 300 ms. */
import assert from "node:assert";
import { isRepaired, read, send } from "./kit.mjs";

await send("POST", "/v1/verify/nin", { nin: "35402817694" }).then(({ status }) =>
  assert.equal(status, "success"),
);
let options = { timeout: 300 };
if (isRepaired) options = { timeout: 5_000 };
const { balance } = isRepaired
  ? await read("/v1/balance", options)
  : await send("GET", "/v1/balance", undefined, options);
assert.ok(balance > 900_000 && balance < 1_000_000);
