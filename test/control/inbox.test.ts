import { describe, expect, test } from "vitest";
import { call, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const phone = "+2348031234567";
const start = (account: ReturnType<typeof sandbox.account>, to = phone) =>
  post(account, "/v1/phone/verify/start", { phone: to });

describe("waiting for a message", () => {
  test("returns one that has already arrived at once", async () => {
    const account = sandbox.account();
    await start(account);
    expect((await account.inbox.wait({ to: phone })).to).toBe(phone);
  });

  test("returns as soon as one arrives", async () => {
    const account = sandbox.account();
    const waiting = account.inbox.wait({ to: phone, timeout: "20s" });
    await start(account);
    expect((await waiting).to).toBe(phone);
  });

  test("says that another call has got the message", async () => {
    const account = sandbox.account();
    await start(account);
    const { id } = await account.inbox.wait({ to: phone });
    await expect(account.inbox.wait({ to: phone, timeout: "1ms" })).rejects.toThrow(
      `another call that waited with this filter has got the newest, ${id}`,
    );
    await account.events.trigger("payout.paid");
    const sent = await account.control<{ id: string }>("GET", "/events/wait?event=payout.paid");
    await expect(account.control("GET", "/events/wait?event=payout.paid&timeout=1ms")).rejects.toThrow(
      `another call that waited with this filter has got the newest, ${sent.id}`,
    );
  });

  test("returns each message once, in order of arrival", async () => {
    const account = sandbox.account();
    const texts = [];
    for (let i = 0; i < 3; i++) await start(account);
    for (let i = 0; i < 3; i++) texts.push((await account.inbox.wait({ to: phone })).text);
    expect(texts.reverse()).toEqual((await account.inbox.list()).map(({ text }) => text));
    await expect(account.inbox.wait({ to: phone, timeout: "1ms" })).rejects.toMatchObject({
      status: 408,
      code: "wait_timeout",
    });
  });

  test.each(["0803 123 4567", "+234 803 123 4567", "0803-123-4567", " 234 803 1234567 "])(
    "finds the number %j as people write it",
    async (to) => {
      const account = sandbox.account();
      await start(account);
      expect((await account.inbox.list({ to })).map((message) => message.to)).toEqual([phone]);
      expect((await account.inbox.wait({ to, timeout: "1s" })).to).toBe(phone);
    },
  );

  test("returns only messages for the given number, in any notation", async () => {
    const account = sandbox.account();
    await start(account, "08039999999");
    await start(account);
    for (const to of ["08031234567", "2348031234567", "+2348031234567"]) {
      expect(await account.inbox.list({ to })).toHaveLength(1);
    }
    const failed = account.inbox.wait({ to: "08030000001", timeout: "1ms" });
    await expect(failed).rejects.toThrow(phone);
  });

  test("refuses an invalid timeout", async () => {
    await expect(sandbox.account().inbox.wait({ timeout: "2m" })).rejects.toMatchObject({
      code: "validation_error",
    });
  });
});

test("what a person writes to a channel is in the inbox", async () => {
  const account = sandbox.account();
  const [{ id }] = (await call(account, "GET", "/v1/wa/channels")).body;
  await account.inbox.reply({ channel_id: id, from: "2348031234567", text: "Hello" });
  expect(await account.inbox.list({ channel: "chat" })).toMatchObject([
    { channel: "chat", to: id, from: "2348031234567", text: "Hello" },
  ]);
});

test("the list is ordered newest first and can be filtered by channel", async () => {
  const account = sandbox.account();
  await start(account, "08031111111");
  await start(account, "08032222222");
  expect((await account.inbox.list({ channel: "sms" })).map(({ to }) => to)).toEqual([
    "+2348032222222",
    "+2348031111111",
  ]);
  expect(await account.inbox.list({ channel: "email" })).toEqual([]);
});
