/** A run that does not end is tried again with a limit above a minute, so this test has a file beside the others. */
import { expect, test } from "vitest";
import { examineOnly, given, idsOf } from "./small-clients.js";

test.concurrent("a client that repeats a read for as long as the service is down is found, and one that gives up is left alone", async () => {
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

test.concurrent("a set-up that fails may leave a receiver open: a run that does not end after any error is no finding", async () => {
  const open = (onError: string) => `${given("{ business: {} }")}
    const { createServer } = await import("node:http");
    const server = createServer(() => {});
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const expectDone = ({ error }) => { if (error) throw new Error(error.code); };
    process.on("uncaughtException", (error) => console.error(error));
    await post("/v1/business/charges", { amount: 5000, customer_name: "Ada", customer_email: "a@example.com", description: "Rice" })${onError};
    server.close();`;
  const lost = "survived/createCharge/reply-lost";
  const [stuck, leftOpen] = await Promise.all([
    examineOnly(lost, open(".catch(() => new Promise(() => {}))")),
    examineOnly(lost, open(".then(expectDone)")),
  ]);
  expect(stuck.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [lost, ["The command did not end by itself."]],
  ]);
  expect([idsOf(leftOpen), leftOpen.card.tried.map(({ result }) => result)]).toEqual([[], ["unconfirmed"]]);
}, 300_000);

test.concurrent("a client that gives a reply up before the interface says is found, unless a test may have ended it", async () => {
  const audit = (limitMs: number) => `
    const headers = { "X-Service-Key": key, "Content-Type": "application/json" };
    const body = JSON.stringify({ url: "https://example.com" });
    const asked = { method: "POST", headers, body, signal: AbortSignal.timeout(${limitMs}) };
    const reply = await fetch(base + "/v1/audits", asked).catch(() => null);
    if (reply === null) await new Promise((go) => setTimeout(go, 1_500));
    if (!reply?.ok) process.exit(1);`;
  const slow = "survived/createAudit/slow";
  const [hasty, unsure] = await Promise.all([
    examineOnly(slow, audit(7_500)),
    examineOnly(slow, audit(4_000)),
  ]);
  expect(hasty.card.findings.map(({ id, evidence }) => [id, evidence])).toEqual([
    [
      slow,
      [
        expect.stringMatching(
          /^The client gave the reply up after 7\S* s\. The interface states up to 70 s\.$/,
        ),
      ],
    ],
  ]);
  expect([idsOf(unsure), unsure.code]).toEqual([[], 0]);
}, 300_000);
