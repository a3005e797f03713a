import request from "supertest";
import { expect, test } from "vitest";
import { ControlError, startSandbox } from "../../src/index.js";

test("a client's test starts a sandbox, gets its own account, and reads the code from the inbox", async () => {
  const sandbox = await startSandbox();
  const account = sandbox.account();
  const client = request(account.baseUrl);
  const start = await client
    .post("/v1/phone/verify/start")
    .set("X-Service-Key", account.key)
    .send({ phone: "08031234567" });
  const { codes } = await account.inbox.wait({ to: "+2348031234567" });
  const check = await client
    .post("/v1/phone/verify/check")
    .set("X-Service-Key", account.key)
    .send({ id: start.body.id, code: codes[0] });
  expect(check.body.verified).toBe(true);
  await sandbox.close();
});

test("unnamed accounts are new, and a key always selects the same account", async () => {
  const sandbox = await startSandbox();
  expect(sandbox.account().key).not.toBe(sandbox.account().key);
  expect(sandbox.account({ mode: "live" }).key).toContain("_live_");
  await sandbox.account({ key: "svc_test_named" }).update({ plan: "growth" });
  expect(await sandbox.account({ key: "svc_test_named" }).update({})).toMatchObject({ plan: "growth" });
  expect(await sandbox.account("svc_test_named").update({})).toMatchObject({ plan: "growth" });
  await sandbox.close();
});

test("a refusal by the control API is a ControlError with its code", async () => {
  const sandbox = await startSandbox();
  const refused = sandbox.account().advance("never");
  await expect(refused).rejects.toBeInstanceOf(ControlError);
  await expect(refused).rejects.toMatchObject({ status: 400, code: "validation_error" });
  await sandbox.close();
});

test("close ends waits and frees the port for another sandbox", async () => {
  const sandbox = await startSandbox();
  const waiting = sandbox.account().inbox.wait({ timeout: "60s" });
  const settled = expect(waiting).rejects.toMatchObject({ code: "wait_timeout" });
  while (true) {
    const health = await fetch(`${sandbox.url}/healthz`);
    if (health.ok) break;
  }
  await Promise.all([settled, sandbox.close()]);
  const next = await startSandbox({ port: Number(new URL(sandbox.url).port) });
  expect(next.url).toBe(sandbox.url);
  await next.close();
});

test("a start on a port in use rejects", async () => {
  const sandbox = await startSandbox();
  await expect(startSandbox({ port: Number(new URL(sandbox.url).port) })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
  await sandbox.close();
});
