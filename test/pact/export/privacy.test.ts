import { describe, expect, onTestFinished, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../../src/index.js";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { drive } from "./client.js";
import { failures, verify } from "./verified.js";

const sandbox = useSandbox();

describe("personal data", () => {
  const leaving = async (work: (account: SandboxAccount) => Promise<unknown>) => {
    const account = sandbox.account({ key: "sk_abcdef123456789" });
    await account.reset();
    await work(account);
    const exported = await account.pact();
    const text = JSON.stringify(exported);
    expect(text).not.toContain(account.key);
    expect(text).not.toMatch(/zebulon|0809555|"account_number":123456789/i);
    expect(failures(await verify(exported.pact))).toEqual({});
  };

  test("in paths, lists, ids and choices is left out", () =>
    leaving(async (account) => {
      await post(account, `/v1/streaming/${account.key}/token`, { room_name: "a", identity: "b" });
      await post(account, "/v1/webhooks", {
        url: "https://a.example/h",
        events: [account.key, "Zebulon.paid"],
      });
      await post(account, "/v1/phone/verify/check", { id: account.key, code: "123456" });
      await call(account, "GET", `/v1/audits/${account.key}`);
      await post(account, "/v1/verify/bank-account", { account_number: 123456789, bank_code: "058" });
    }));

  test("in field names is left out, and unknown fields are still refused", async () => {
    const strict = await startSandbox({ assumptions: { "fields.unmarked": "refused" } });
    onTestFinished(() => strict.close());
    const account = strict.account();
    const phone = "08031234567";
    await post(account, "/v1/phone/verify/start", { phone, "+2348095551234": 1, [account.key]: 1 });
    await post(account, "/v1/wa/channels", { label: "Desk", Zebulon_Quixote: { phone } });
    await call(account, "GET", `/v1/balance?${account.key}=1`);
    await call(account, "GET", "/v1/audits/aud_0123456789?zebulon=2");
    const exported = await account.pact();
    const text = JSON.stringify(exported);
    expect(text).not.toContain(account.key);
    expect(text).not.toMatch(/zebulon|8095551234/i);
    expect(
      (exported.pact.interactions as unknown as { response: { status: number } }[]).map(
        (one) => one.response.status,
      ),
    ).toEqual([400, 400, 400, 400]);
    expect(failures(await verify(exported.pact, { "fields.unmarked": "refused" }))).toEqual({});
  });

  test("and times are left out: two runs of the same requests give the same file", async () => {
    const [one, other] = [sandbox.account(), sandbox.account()];
    await drive(one);
    await other.advance("26h");
    await drive(other);
    expect((await one.pact()).pact).toEqual((await other.pact()).pact);
  });
});
