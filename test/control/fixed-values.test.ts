import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type SandboxAccount } from "../../src/index.js";
import { mainLine } from "../service/channels/line.js";
import { temporaryFolder } from "../support/program.js";
import { expectedSignature, startReceiver } from "../support/receiver.js";
import { call, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const phone = "+2348031234567";

/** Starts a verification and returns the code that the person reads. */
async function sentCode(account: SandboxAccount, to = phone): Promise<string> {
  const { status, body } = await post(account, "/v1/phone/verify/start", { phone: to });
  expect(status).toBe(201);
  const [message] = await account.inbox.list({ to });
  const code = message?.codes[0] as string;
  expect(message?.text).toContain(code);
  expect((await post(account, "/v1/phone/verify/check", { id: body.id, code })).body.status).toBe("verified");
  return code;
}

const patch = (account: SandboxAccount, body: object) => call(account, "PATCH", "/_sandbox/account", body);

describe("the one-time code", () => {
  test("of the account applies to SMS and messages until it is removed", async () => {
    const account = sandbox.account();
    expect((await account.update({ code: "246810" })).code).toBe("246810");
    const line = await mainLine(account);
    expect([await sentCode(account), (await line.code()).code]).toEqual(["246810", "246810"]);
    expect(await line.check("246810")).toMatchObject({ valid: true });
    expect((await account.update({ code: null })).code).toBeNull();
    expect(await sentCode(account)).not.toBe("246810");
  });

  test("applies where it has as many digits as the code that is sent", async () => {
    const account = sandbox.account();
    await account.update({ code: "2468" });
    const line = await mainLine(account);
    expect((await line.code({ length: 4 })).code).toBe("2468");
    expect((await line.code({ length: 8 })).code).toHaveLength(8);
    expect(await sentCode(account)).toHaveLength(6);
  });

  test("of a person comes before that of the account, and that of a test number before both", async () => {
    const account = sandbox.account();
    await account.update({ code: "111111" });
    const names = { first_name: "Chioma", last_name: "Eze" };
    const person = { ...names, phone_number: "08039990001", code: "222222" };
    const registered = (await post(account, "/_sandbox/people", person)).body;
    expect(registered.code).toBe("222222");
    const line = await mainLine(account);
    const codes = await Promise.all(
      ["+2348039990001", "+2348031234568", "+2348000000010", "+2348000000011"].map((to) =>
        sentCode(account, to),
      ),
    );
    expect(codes).toEqual(["222222", "111111", "123456", "654321"]);
    expect((await line.code({ to: "2348039990001" })).code).toBe("222222");
    expect((await line.code({ to: "2348000000010" })).code).toBe("123456");
  });

  test("changes no id that follows", async () => {
    const account = sandbox.account();
    const before = await account.snapshot();
    const ids = async (code: string | null) => {
      await account.restore(before);
      await account.update({ code });
      const start = () => post(account, "/v1/phone/verify/start", { phone });
      return [await start(), await start()].map(({ body }) => body.id);
    };
    expect(await ids("123456")).toEqual(await ids(null));
  });

  test("survives a snapshot and the load of a scenario, and ends with a reset", async () => {
    const account = sandbox.account();
    await account.update({ code: "246810", webhook_secret: "whsec_of_my_tests" });
    const other = sandbox.account();
    await other.restore(await account.snapshot());
    expect(await sentCode(other)).toBe("246810");
    await account.scenario.load("demo-day");
    expect(await account.control("GET", "/account")).toMatchObject({
      code: "246810",
      webhook_secret: "whsec_of_my_tests",
    });
    expect((await account.reset()).code).toBeNull();
  });

  test("can be given by a scenario", async () => {
    const account = sandbox.account();
    const given = { account: { code: "135790", webhook_secret: "whsec_given" } };
    await account.scenario.load({ name: "Fixed", given });
    expect(await sentCode(account)).toBe("135790");
    expect(await account.control("GET", "/account")).toMatchObject({ webhook_secret: "whsec_given" });
  });

  test.each(["123", "123456789", "12345a", "", 123456])("%j is refused with what is right", async (code) => {
    const account = sandbox.account();
    const names = { first_name: "Chioma", last_name: "Eze" };
    for (const reply of [
      await patch(account, { code }),
      await post(account, "/_sandbox/people", { ...names, code }),
    ]) {
      const { param, message } = reply.body.error;
      expect([reply.status, param]).toEqual([400, "code"]);
      expect(message).toMatch(/must be (?:4 to 8 digits, such as 123456; .* is not|string|a string)/);
    }
    expect((await account.update({})).code).toBeNull();
  });
});

describe("the webhook secret", () => {
  test("signs from the moment it is set", async () => {
    const account = sandbox.account();
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await post(account, "/v1/webhooks", { url: receiver.url });
    await account.update({ webhook_secret: "whsec_of_my_tests" });
    await account.events.trigger("payout.paid");
    const [delivered] = await receiver.got(1);
    const signature = expectedSignature(delivered?.body as Buffer, "whsec_of_my_tests");
    expect(delivered?.headers["x-service-signature"]).toBe(signature);
    expect((await post(account, "/v1/webhooks", { url: receiver.url })).body.secret).toBe(
      "whsec_of_my_tests",
    );
  });

  test.each(["short", "with space", "ünsigned", "x".repeat(129)])("%j is refused", async (webhook_secret) => {
    const { status, body } = await patch(sandbox.account(), { webhook_secret });
    expect([status, body.error.param]).toEqual([400, "webhook_secret"]);
    expect(body.error.message).toContain("8 to 128 visible ASCII characters, such as whsec_of_my_tests");
  });
});

describe("the options of a sandbox", () => {
  const fixed = { code: "246810", webhookSecret: "whsec_of_my_tests" };
  const account = { code: "246810", webhook_secret: "whsec_of_my_tests" };

  test("fix the values of the default account alone, also after a reset", async () => {
    const own = await createSandbox(fixed);
    onTestFinished(() => own.close());
    const demo = own.account({ key: "svc_test_demo" });
    expect(await demo.control("GET", "/account")).toMatchObject(account);
    expect(await demo.reset()).toMatchObject(account);
    expect(await own.account().control("GET", "/account")).toMatchObject({ code: null });
  });

  test("apply to an account that is stored already", async () => {
    const data = temporaryFolder();
    const first = await createSandbox({ data });
    await first.account({ key: "svc_test_demo" }).update({ balance: 12 });
    await first.close();
    const second = await createSandbox({ data, ...fixed });
    onTestFinished(() => second.close());
    await second.listen();
    const demo = second.account({ key: "svc_test_demo" });
    expect(await demo.control("GET", "/account")).toMatchObject({ ...account, balance: 12 });
  });

  test.each([
    [{ code: "12" }, /code must be 4 to 8 digits, such as 123456; got "12"/],
    [{ webhookSecret: "no" }, /webhookSecret must be 8 to 128 visible ASCII characters/],
  ])("%j is refused", async (options, problem) => {
    await expect(createSandbox(options)).rejects.toThrow(problem);
  });
});
