import { expect, test } from "vitest";
import { post, useListeningSandbox } from "../../support/sandbox.js";

const sandbox = useListeningSandbox({ latency: "documented" });

/** Bounds of the interface, in ms. */
const [least, most] = [15_000, 70_000];

test("with documented times a deep audit is accepted at once", async () => {
  const started = performance.now();
  const body = { url: "https://shop.example", tier: "deep" };
  expect((await post(sandbox.account(), "/v1/audits", body)).body.status).toBe("pending");
  expect(performance.now() - started).toBeLessThan(least);
});

test("with documented times a standard audit takes from 15 to 70 seconds", { timeout: 90_000 }, async () => {
  const started = performance.now();
  // The time is drawn from the account's seed; this one draws 15.02 s.
  const account = sandbox.account({ key: "svc_test_audit_690" });
  const { body } = await post(account, "/v1/audits", {
    url: "https://shop.example",
  });
  expect(body.status).toBe("ready");
  const took = performance.now() - started;
  expect(took).toBeGreaterThanOrEqual(least);
  expect(took).toBeLessThan(most);
});
