import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { call, useSandbox } from "../../support/sandbox.js";
import { forged } from "../../support/snapshots.js";
import { channelsPath, mainLine, newLine, person, refusal } from "./line.js";

const sandbox = useSandbox();

const list = async (account: SandboxAccount) => (await call(account, "GET", channelsPath)).body;

describe("the states of a channel", () => {
  test("disconnected → connecting → connected: a code is shown, and scanning it links a number", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const line = await newLine(account);
    await line.connect();
    expect(await line.state()).toBe("connecting");
    await account.advance("59s");
    const { state, record } = await line.move(line.id, "scan", { phone: person });
    expect([state, record.phone]).toEqual(["connected", person]);
    await account.advance("24h");
    expect(await line.state()).toBe("connected");
    expect((await line.send({ text: "Hello" })).status).toBe(200);
  });

  test("connecting → disconnected: a code that was not scanned within 60 seconds expires", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const line = await newLine(account);
    await line.connect();
    await account.advance("59s");
    expect(await line.state()).toBe("connecting");
    await account.advance("1s");
    expect(await line.state()).toBe("disconnected");
    await expect(line.move(line.id, "scan")).rejects.toMatchObject({ code: "invalid_state" });
  });

  test("connecting → disconnected: once the clock is past the end, before any job has run", async () => {
    const account = sandbox.account();
    const line = await newLine(account);
    await line.connect();
    const later = forged(await account.snapshot(), (document) => {
      document.clock.now = new Date(Date.parse(document.clock.now) + 3_600_000).toISOString();
    });
    await account.restore(later);
    expect((await list(account))[0]).toMatchObject({ id: line.id, status: "disconnected" });
  });

  test("connected → disconnected: the channel keeps its number, and neither sends nor receives until it is linked again", async () => {
    const account = sandbox.account();
    const line = await mainLine(account);
    const { phone } = (await list(account))[0];
    await line.hears("Hello");
    await line.move(line.id, "disconnect");
    expect((await list(account))[0]).toMatchObject({ phone, status: "disconnected" });
    for (const reply of [await line.send({ text: "Hi" }), await line.sendCode(), await line.askIdentity()]) {
      expect(refusal(reply)).toBe("409 channel_not_connected");
      expect(reply.body.error.message).toContain("/connect");
    }
    await expect(line.hears("Anybody?")).rejects.toMatchObject({
      status: 409,
      code: "channel_not_connected",
    });
    await line.connect();
    expect(refusal(await line.send({ text: "Hi" }))).toBe("409 channel_not_connected");
    expect((await line.move(line.id, "scan")).record.phone).toBe(phone);
    expect((await line.send({ text: "Hi" })).body).toEqual({ sent: 1, session_active: true });
  });

  test("a scan without a number gives a new channel an invented one", async () => {
    const line = await newLine(sandbox.account());
    await line.connect();
    expect((await line.move(line.id, "scan")).record.phone).toMatch(/^234\d{10}$/);
  });

  test.each(["08031234567", "+2348031234567", "", 2348031234567, null, "0", "1".repeat(16)])(
    "a scan by %j is refused",
    async (phone) => {
      const line = await newLine(sandbox.account());
      await line.connect();
      await expect(line.move(line.id, "scan", { phone })).rejects.toMatchObject({ code: "validation_error" });
      expect(await line.state()).toBe("connecting");
    },
  );

  test("a website can be connected in any state without changing it; null disconnects it", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const line = await newLine(account);
    const connectWebsite = async (url: unknown) =>
      (await line.move(line.id, "connect_website", { url })).record;
    expect(await connectWebsite("https://shop.example/a")).toMatchObject({
      status: "disconnected",
      website: "https://shop.example/a",
    });
    await line.connect();
    expect(await connectWebsite("https://shop.example/b")).toMatchObject({ status: "connecting" });
    expect(await connectWebsite("relay:laptop")).toMatchObject({ website: "relay:laptop" });
    expect(await connectWebsite(null)).toMatchObject({ website: null });
    await account.advance("60s");
    expect(await line.state()).toBe("disconnected");
  });

  test.each([
    "",
    "shop.example",
    "ftp://shop.example",
    "https://u:p@shop.example",
    7,
    undefined,
    `http://${"x".repeat(2048)}`,
  ])("%j is not a website", async (url) => {
    const line = await mainLine(sandbox.account());
    await expect(line.move(line.id, "connect_website", { url })).rejects.toMatchObject({
      status: 400,
      code: "validation_error",
    });
    expect((await line.account.records.get(line.id)).record.website).toBeNull();
  });

  test("an illegal move is refused with the legal ones", async () => {
    const line = await mainLine(sandbox.account());
    await expect(line.move(line.id, "scan")).rejects.toThrow("disconnect, connect_website");
  });
});
