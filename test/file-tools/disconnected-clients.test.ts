/** Clients that disconnect before their file is converted. */
import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { pngOf } from "../support/forms.js";
import { pngOfSize } from "../support/pictures.js";
import { call, useSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";
import { sendToTool } from "../support/uploads.js";

const sandbox = useSandbox();
type Account = ReturnType<typeof sandbox.account>;

/** A picture that keeps a thread busy for seconds. */
const slow = pngOfSize(2000, 2000);
const screenshots = { kind: "screenshot", platform: "both" };
const threads = Math.max(1, availableParallelism() - 1);
const maxQueuedFiles = 16;

const balance = async (account: Account): Promise<number> =>
  (await call(account, "GET", "/v1/balance")).body.balance;

it("frees the threads and the queue for others, and does not charge a client that has disconnected", async () => {
  const account = sandbox.account();
  const before = await balance(account);
  const leaving = new AbortController();
  const { signal } = leaving;
  const one = () => sendToTool(account, "store-assets", slow, "slow.png", { fields: screenshots, signal });
  const all = Array.from({ length: threads + maxQueuedFiles + 1 }, one);
  // The first reply is a refusal because the queue is full, so all others are queued or running.
  expect((await Promise.race(all)).status).toBe(429);
  leaving.abort();
  const left = (await Promise.allSettled(all)).filter(({ status }) => status === "rejected");
  expect(left).toHaveLength(threads + maxQueuedFiles);
  const icons = await until("the queue is empty", async () => {
    const fields = { kind: "icon", platform: "ios" };
    const response = await sendToTool(account, "store-assets", pngOf(100), "icon.png", { fields });
    await response.arrayBuffer();
    return response.status !== 429 && response.status;
  });
  expect(icons).toBe(200);
  expect(before - (await balance(account))).toBe(10);
});
