/** Clients that close their connection before the reply: nobody waits for the file any more. */
import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { pngOf } from "../support/forms.js";
import { pngOfSize } from "../support/pictures.js";
import { call, useSandbox } from "../support/sandbox.js";
import { until } from "../support/until.js";
import { send } from "./store-assets/zips.js";

const sandbox = useSandbox({ tools: { ffmpeg: "off", libreoffice: "off" } });
type Account = ReturnType<typeof sandbox.account>;

/** Keeps a thread busy for seconds. */
const slow = pngOfSize(2000, 2000);
const screenshots = { kind: "screenshot", platform: "both" };
const threads = Math.max(1, availableParallelism() - 1);
const longestLine = 16;

const balance = async (account: Account): Promise<number> =>
  (await call(account, "GET", "/v1/balance")).body.balance;

it("leave the threads and the line to others, and are not charged", async () => {
  const account = sandbox.account();
  const before = await balance(account);
  const leaving = new AbortController();
  const one = () => send(account, slow, screenshots, {}, leaving.signal);
  const all = Array.from({ length: threads + longestLine + 1 }, one);
  // The first answer tells one of them that the line is full: the others are in it or have a thread.
  expect((await Promise.race(all)).status).toBe(429);
  leaving.abort();
  const left = (await Promise.allSettled(all)).filter(({ status }) => status === "rejected");
  expect(left).toHaveLength(threads + longestLine);
  const icons = await until("the line is empty", async () => {
    const response = await send(account, pngOf(100), { kind: "icon", platform: "ios" });
    await response.arrayBuffer();
    return response.status !== 429 && response.status;
  });
  expect(icons).toBe(200);
  expect(before - (await balance(account))).toBe(10);
});
