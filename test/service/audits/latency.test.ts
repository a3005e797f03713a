import { expect, test } from "vitest";
import { startSandbox } from "../../../src/index.js";
import { createAudit } from "../../../src/service/audits/audits.js";
import { post } from "../../support/sandbox.js";
import { until } from "../../support/until.js";

const url = "https://shop.example";

test("with documented times a deep audit is accepted at once, and a standard audit takes from 15 to 70 seconds", async () => {
  const sandbox = await startSandbox({ latency: "documented", validateReplies: true });
  const account = sandbox.account();
  await account.rules.add({ on: "createAudit", outcome: "ready", times: 1 });
  let isAnswered = false;
  const standard = post(account, "/v1/audits", { url }).finally(() => {
    isAnswered = true;
  });
  await until("the standard audit is received", async () => (await account.rules.list())[0]?.used === 1);
  expect((await post(account, "/v1/audits", { url, tier: "deep" })).body.status).toBe("pending");
  expect(isAnswered).toBe(false);
  const { latency } = createAudit;
  const latencyOf = (tier: "standard" | "deep") =>
    typeof latency === "function" ? latency({ body: { url, tier } } as never) : latency;
  expect([latencyOf("standard"), latencyOf("deep")]).toEqual([[15_000, 70_000], null]);
  // A sandbox that stops answers what it delays.
  await sandbox.close();
  expect((await standard).body.status).toBe("ready");
});
