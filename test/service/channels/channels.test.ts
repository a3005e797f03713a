import jsqr from "jsqr";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { channelsPath, Line, mainLine, newLine, person, refusal } from "./line.js";

const sandbox = useSandbox();
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const list = async (account: ReturnType<typeof sandbox.account>) =>
  (await call(account, "GET", channelsPath)).body;

describe("a fresh account", () => {
  test.each(["test", "live"] as const)(
    "has one connected channel, the main line, on a %s key",
    async (mode) => {
      expect(await list(sandbox.account({ mode }))).toEqual([
        {
          id: expect.stringMatching(/^wac_[a-z0-9]{20}$/),
          label: "Main line",
          phone: expect.stringMatching(/^234\d{10}$/),
          status: "connected",
        },
      ]);
    },
  );

  test("has the same main line whichever operation asks for it first", async () => {
    const account = sandbox.account();
    const { id, phone } = (await list(account))[0];
    const line = new Line(account, id);
    const first: Record<string, () => Promise<unknown>> = {
      createChannel: () => newLine(account),
      connectChannel: async () => expect(refusal(await line.connect())).toBe("409 invalid_state"),
      sendChannelMessage: async () => expect((await line.send({ text: "Hello" })).status).toBe(200),
      sendChannelCode: async () => expect((await line.sendCode()).status).toBe(201),
      checkChannelCode: async () => expect((await line.check("123456")).valid).toBe(false),
      startIdentityCheck: async () => expect((await line.askIdentity()).status).toBe(201),
      getIdentityCheck: async () =>
        expect(refusal(await line.ask("GET", "/verify-identity/idq_0"))).toBe("404 resource_not_found"),
      replyAsPerson: () => line.hears("Hello"),
    };
    for (const [name, ask] of Object.entries(first)) {
      await account.reset();
      // Independent of earlier random draws.
      await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
      await ask();
      expect((await list(account)).at(-1), name).toMatchObject({ id, phone, label: "Main line" });
    }
  });

  test("has an id and number that no other account has", async () => {
    const [one, other] = [(await list(sandbox.account()))[0], (await list(sandbox.account()))[0]];
    expect(other.id).not.toBe(one.id);
    expect(other.phone).not.toBe(one.phone);
  });

  test("has its main line even when the first call was refused", async () => {
    const account = sandbox.account();
    const fails = { "X-Sandbox-Outcome": "internal_error" };
    expect((await call(account, "GET", channelsPath, undefined, fails)).status).toBe(500);
    expect(await list(account)).toHaveLength(1);
  });
});

test("a snapshot restores the main line with its id on any account", async () => {
  const [from, to] = [sandbox.account(), sandbox.account()];
  const before = await list(from);
  await list(to);
  await to.restore(await from.snapshot());
  expect(await list(to)).toEqual(before);
  await to.reset();
  expect((await list(to))[0].id).not.toBe(before[0].id);
});

describe("creating a channel", () => {
  test("returns its id, label, creation time, and neither phone nor connection", async () => {
    const { status, body } = await post(sandbox.account(), channelsPath, { label: "Ọ̀ffice" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^wac_[a-z0-9]{20}$/),
      label: "Ọ̀ffice",
      phone: null,
      status: "disconnected",
      created_at: expect.stringMatching(timestamp),
    });
  });

  test("lists it before older ones, with only the documented fields", async () => {
    const account = sandbox.account();
    const { id } = await newLine(account, "Support");
    await newLine(account, "Sales");
    const all = await list(account);
    expect(all.map(({ label }: { label: string }) => label)).toEqual(["Sales", "Support", "Main line"]);
    expect(all[1]).toEqual({ id, label: "Support", phone: null, status: "disconnected" });
  });

  test("accepts a label of 1 to 100 characters", async () => {
    const account = sandbox.account();
    expect((await post(account, channelsPath, { label: "x".repeat(100) })).status).toBe(201);
    for (const label of ["x".repeat(101), "", 7, null])
      expect(refusal(await post(account, channelsPath, { label }))).toBe("400 validation_error");
    expect(refusal(await post(account, channelsPath, {}))).toBe("400 missing_field");
  });
});

describe("connecting", () => {
  test("returns a readable QR code and a pairing code for 60 seconds", async () => {
    const account = sandbox.account();
    const { now } = await account.clock.freeze();
    const line = await newLine(account);
    const { status, body } = await line.connect();
    expect(status).toBe(200);
    expect(body).toEqual({
      id: line.id,
      status: "connecting",
      qr: {
        code: expect.stringMatching(/^[a-z0-9]{32}$/),
        image: expect.stringMatching(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/),
        expires_at: new Date(Date.parse(now) + 60_000).toISOString(),
      },
      pairing_code: expect.stringMatching(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/),
    });
    const svg = Buffer.from(body.qr.image.split(",")[1], "base64");
    const { data, info } = await sharp(svg).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const read = jsqr.default(new Uint8ClampedArray(data), info.width, info.height);
    expect(read?.data).toBe(body.qr.code);
  });

  test("is refused on a connected channel with 409 invalid_state, and on an unknown one with 404", async () => {
    const line = await mainLine(sandbox.account());
    const reply = await line.connect();
    expect(refusal(reply)).toBe("409 invalid_state");
    expect(reply.body.error.message).toContain("already connected");
    expect(refusal(await new Line(line.account, "wac_unknown").connect())).toBe("404 resource_not_found");
  });

  test("again returns the open code, or a new one once it has expired", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const line = await newLine(account);
    const first = (await line.connect()).body;
    await account.advance("59s");
    expect((await line.connect()).body).toEqual(first);
    await account.advance("1s");
    expect((await line.connect()).body.qr.code).not.toBe(first.qr.code);
  });
});

test("a channel of another account is not found by any operation", async () => {
  const [own, other] = [await mainLine(sandbox.account()), await mainLine(sandbox.account())];
  const id = await own.question();
  const there = new Line(other.account, own.id);
  const replies = [
    await there.connect(),
    await there.send({ text: "Hello" }),
    await there.sendCode(),
    await there.ask("POST", "/otp/verify", { to: person, code: "123456" }),
    await there.askIdentity(),
    await there.ask("GET", `/verify-identity/${id}`),
  ];
  for (const reply of replies) {
    expect(refusal(reply)).toBe("404 resource_not_found");
    expect(reply.body.error).toMatchObject({ param: "channel_id" });
    expect(reply.body.error.message).toContain("GET /v1/wa/channels");
  }
  await expect(there.hears("Hello")).rejects.toMatchObject({ status: 404, code: "resource_not_found" });
});
