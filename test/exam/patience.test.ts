/** A run that does not end is tried again with a limit above a minute, so this test has a file beside the others. */
import { expect, test } from "vitest";
import { examineOnly, idsOf } from "./small-clients.js";

test("a client that repeats a read for as long as the service is down is found, and one that gives up is left alone", async () => {
  const read = (attempts: string) => `for (let left = ${attempts}; ; left--) {
    const reply = await fetch(base + "/v1/pricing", { headers: { "X-Service-Key": key } });
    if (reply.ok) break;
    if (left === 0) process.exit(1);
    await new Promise((go) => setTimeout(go, 1_000 * Number(reply.headers.get("Retry-After"))));
  }`;
  const [tireless, right] = await Promise.all([
    examineOnly("survived/getPricing/down", read("Infinity")),
    examineOnly("survived/getPricing/down", read("4")),
  ]);
  expect(tireless.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    ["survived/getPricing/down", ["The command did not end by itself."]],
  ]);
  expect([idsOf(right), right.code]).toEqual([[], 0]);
}, 300_000);
