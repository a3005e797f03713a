/** Looks up a BVN. Bug: what was refused for a while is asked again at once. */
import assert from "node:assert";
import { isRepaired, send, sleep } from "./kit.mjs";

async function lookUp(attempt = 1) {
  try {
    return await send("POST", "/v1/verify/bvn", { bvn: "22301948576" });
  } catch (error) {
    if (attempt === 6 || error.retryAfter === undefined || error.status < 429) throw error;
    if (isRepaired) await sleep(error.retryAfter * 1_000);
    return lookUp(attempt + 1);
  }
}

assert.equal((await lookUp()).status, "success");
