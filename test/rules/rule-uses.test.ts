/** Uses of a rule with `times`. */
import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { file, png } from "../support/forms.js";
import { call, post, type Reply, useSandbox } from "../support/sandbox.js";
import { upload } from "../support/uploads.js";

const sandbox = useSandbox();

const start = (account: SandboxAccount, phone = "+2348031234567"): Promise<Reply> =>
  post(account, "/v1/phone/verify/start", { phone });
const audit = (account: SandboxAccount, url: string): Promise<Reply> => post(account, "/v1/audits", { url });
const uses = async (account: SandboxAccount) =>
  (await account.rules.list()).map(({ times, used }) => [times, used]);

describe("a request that is refused for another reason does not use a rule up", () => {
  test("401: an expired session token, a refused key and a missing one", async () => {
    const account = sandbox.account();
    const path = "/v1/domains/verify/start";
    const start = (headers: Record<string, string>) =>
      post(account, path, { domain: "shop.example" }, headers);
    await account.clock.freeze();
    const token = async () => {
      const { body } = await post(account, "/_sandbox/session-token", {});
      return { Authorization: `Bearer ${body.token}` };
    };
    const expired = await token();
    await account.advance("61m");
    await account.rules.add({ on: "*", outcome: "provider_unavailable", times: 1 });
    for (const credentials of [expired, { Authorization: "Bearer none" }, {}])
      expect((await start(credentials)).status).toBe(401);
    for (const key of ["", `${account.key}_revoked`])
      expect((await call(account, "GET", "/v1/balance", undefined, { "X-Service-Key": key })).status).toBe(
        401,
      );
    expect(await uses(account)).toEqual([[1, 0]]);
    expect((await start(await token())).status).toBe(503);
    expect(await uses(account)).toEqual([[0, 1]]);
  });

  test("400: an invalid phone number", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "startPhoneVerification", outcome: "sms_failed", times: 1 });
    expect((await start(account, "0803")).status).toBe(400);
    expect(await uses(account)).toEqual([[1, 0]]);
    expect((await start(account)).headers.get("X-Sandbox-Outcome")).toBe("sms_failed; by=rule");
    expect(await uses(account)).toEqual([[0, 1]]);
  });

  test("422: a missing business profile, under a rule for an error", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "createCharge", outcome: "provider_unavailable", times: 1 });
    const charge = {
      amount: 5_000,
      customer_name: "Ada",
      customer_email: "a@b.example",
      description: "Order",
    };
    const profile = {
      business_name: "Ada Stores",
      business_type: "registered",
      contact_phone: "08031234567",
    };
    expect((await post(account, "/v1/business/charges", charge)).status).toBe(422);
    expect(await uses(account)).toEqual([[1, 0]]);
    expect((await call(account, "PUT", "/v1/business/profile", profile)).status).toBe(200);
    expect((await post(account, "/v1/business/charges", charge)).status).toBe(503);
    expect((await post(account, "/v1/business/charges", charge)).status).toBe(201);
  });

  test("404: a record that does not exist", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "getAudit", fault: { error: "rate_limited" }, times: 1 });
    expect((await call(account, "GET", "/v1/audits/aud_0")).status).toBe(404);
    expect(await uses(account)).toEqual([[1, 0]]);
  });

  test("402: an empty wallet, even after a file was read", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "verifyDocument", outcome: "expired", times: 1 });
    await account.update({ balance: 0 });
    expect((await upload(account, [file("file", png, "id.png")])).status).toBe(402);
    expect(await uses(account)).toEqual([[1, 0]]);
  });

  test("the last stage of a rule stays", async () => {
    const account = sandbox.account();
    const on = "startPhoneVerification";
    await account.rules.add({ on, outcome: "sms_failed", times: 1, next: [{ outcome: "rate_limited" }] });
    expect((await start(account, "0803")).status).toBe(400);
    expect((await start(account)).status).toBe(201);
    expect((await start(account)).status).toBe(429);
  });
});

describe("a rule is used up by", () => {
  test("the refusal that it requests", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "createAudit", outcome: "url_unreachable", times: 1 });
    expect((await audit(account, "no site")).status).toBe(400);
    expect((await audit(account, "shop.example")).status).toBe(422);
    expect((await audit(account, "shop.example")).status).toBe(201);
  });

  test("a refused request whose reply it delays", async () => {
    const account = sandbox.account();
    await account.rules.add({
      on: "createAudit",
      outcome: "url_unreachable",
      fault: { latency: "1ms" },
      times: 1,
    });
    expect((await audit(account, "no site")).headers.get("X-Sandbox-Fault")).toBe("latency=1ms");
    expect(await uses(account)).toEqual([[0, 1]]);
  });
});
