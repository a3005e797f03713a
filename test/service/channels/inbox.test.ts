import { describe, expect, test } from "vitest";
import { post, useSandbox } from "../../support/sandbox.js";
import { mainLine, person } from "./line.js";

const sandbox = useSandbox();

describe("in the inbox, a person has the same number for SMS and chat", () => {
  test.each(["2348031234567", "+2348031234567", "08031234567"])(
    "written %s, with a channel and without",
    async (to) => {
      const account = sandbox.account();
      const line = await mainLine(account);
      await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
      await line.sendCode();
      await line.sendCode({ to: "2348039999999" });
      const channels = (messages: { channel: string }[]) => messages.map(({ channel }) => channel);
      expect(channels(await account.inbox.list({ to }))).toEqual(["chat", "sms"]);
      expect(channels(await account.inbox.list({ to, channel: "chat" }))).toEqual(["chat"]);
      expect(channels(await account.inbox.list({ to, channel: "sms" }))).toEqual(["sms"]);
    },
  );

  test("waiting returns each message once, in any notation of the number", async () => {
    const account = sandbox.account();
    const line = await mainLine(account);
    const first = account.inbox.wait({ to: "+2348031234567", timeout: "20s" });
    await line.sendCode();
    await line.sendCode({ length: 8 });
    expect((await first).codes[0]).toHaveLength(6);
    expect((await account.inbox.wait({ to: person })).codes[0]).toHaveLength(8);
    const none = account.inbox.wait({ to: "08031234567", timeout: "1ms" });
    await expect(none).rejects.toMatchObject({ code: "wait_timeout" });
  });

  test("messages from the person are found by channel", async () => {
    const line = await mainLine(sandbox.account());
    await line.hears("Hello");
    expect(await line.account.inbox.list({ to: line.id })).toMatchObject([{ from: person, text: "Hello" }]);
  });
});

describe("a message from a person", () => {
  test.each<[object, string, string]>([
    [{ channel_id: "" }, "channel_id", "validation_error"],
    [{ channel_id: 7 }, "channel_id", "validation_error"],
    [{ from: "08031234567" }, "from", "invalid_phone"],
    [{ text: "" }, "text", "validation_error"],
    [{ text: "x".repeat(4_097) }, "text", "validation_error"],
    [{ text: undefined }, "text", "missing_field"],
    [{ channel_id: "wac_unknown" }, "channel_id", "resource_not_found"],
  ])("as %j is refused and not kept", async (body, param, code) => {
    const line = await mainLine(sandbox.account());
    const right = { channel_id: line.id, from: person, text: "Hello" };
    const reply = await post(line.account, "/_sandbox/inbox/reply", { ...right, ...body });
    expect(reply.body.error).toMatchObject({ param, code });
    expect(await line.account.inbox.list()).toEqual([]);
  });
});
