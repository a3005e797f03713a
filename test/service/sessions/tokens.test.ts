import { jwtVerify } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { ada, askToken, chidi, token } from "./rooms.js";

const sandbox = useSandbox();

/** Verifies the token as a media server in development mode does, at the current real time. */
async function read(jwt: string, key = "devkey", secret = "secret") {
  const { payload } = await jwtVerify(jwt, new TextEncoder().encode(secret), {
    issuer: key,
    clockTolerance: "10s",
    requiredClaims: ["exp"],
  });
  return payload;
}

/** Returns the token's claims without checking their times. */
const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split(".")[1] as string, "base64url").toString());

describe("POST /v1/streaming/{session_type}/token", () => {
  test.each([
    ["video", 5],
    ["voice", 2],
    ["stream", 8],
  ])("a %s token has exactly the documented fields", async (type, price_per_minute) => {
    const { status, body } = await askToken(sandbox.account(), { ...ada, room_name: "clinic" }, type);
    expect(status).toBe(201);
    expect(body).toEqual({
      session_id: expect.stringMatching(/^cs_[a-z0-9]{20}$/),
      room_name: "clinic",
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      url: "wss://media.standin.test",
      type,
      expires_in_minutes: 60,
      price_per_minute,
      currency: "NGN",
      is_test: true,
    });
  });

  test("is_test is false on a live key", async () => {
    expect(await token(sandbox.account({ mode: "live" }))).toMatchObject({ is_test: false });
  });

  test("a token is free", async () => {
    const account = sandbox.account();
    await token(account);
    expect(await account.control("GET", "/account")).toMatchObject({ balance: 1_000_000 });
  });

  test("the same requests on accounts with the same seed and clock give the same tokens", async () => {
    const tokens: unknown[] = [];
    for (const _ of [1, 2]) {
      const other = await startSandbox();
      onTestFinished(() => other.close());
      const account = other.account({ key: "svc_test_same_seed" });
      await account.clock.freeze("2030-01-01T00:00:00Z");
      tokens.push(await token(account));
    }
    expect(tokens[0]).toEqual(tokens[1]);
  });
});

describe("the token", () => {
  test("is accepted by a media server: issuer, identity, name, an hour, and the room", async () => {
    const { token: jwt } = await token(sandbox.account(), {
      ...ada,
      room_name: "clinic",
      display_name: "Ada Obi",
    });
    const claims = await read(jwt);
    expect(claims).toEqual({
      iss: "devkey",
      sub: "ada",
      name: "Ada Obi",
      nbf: expect.any(Number),
      exp: (claims.nbf ?? 0) + 3_600,
      video: { room: "clinic", roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true },
    });
  });

  test("has no name if none was given", async () => {
    expect(await read((await token(sandbox.account())).token)).not.toHaveProperty("name");
  });

  test("is refused by a media server with a different secret or key", async () => {
    const { token: jwt } = await token(sandbox.account());
    await expect(read(jwt, "devkey", "another secret")).rejects.toThrow("signature");
    await expect(read(jwt, "another key")).rejects.toThrow("iss");
  });

  test.each([
    ["video", "publisher", { canPublish: true, canSubscribe: true, canPublishData: true }],
    ["video", "viewer", { canPublish: false, canSubscribe: true, canPublishData: false }],
    [
      "voice",
      "publisher",
      { canPublish: true, canSubscribe: true, canPublishData: true, canPublishSources: ["microphone"] },
    ],
    ["voice", "viewer", { canPublish: false, canSubscribe: true, canPublishData: false }],
    ["stream", "publisher", { canPublish: true, canSubscribe: true, canPublishData: true }],
    ["stream", "viewer", { canPublish: false, canSubscribe: true, canPublishData: false }],
  ])("of type %s grants a %s exactly these permissions", async (type, role, grants) => {
    const made = await token(sandbox.account(), { identity: "ada", role }, type);
    expect((await read(made.token)).video).toEqual({ room: made.room_name, roomJoin: true, ...grants });
  });

  test("has the times of the account's clock", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2030-05-01T12:00:00Z");
    const { token: jwt } = await token(account);
    const noon = Date.parse("2030-05-01T12:00:00Z") / 1_000;
    expect(claimsOf(jwt)).toMatchObject({ nbf: noon, exp: noon + 3_600 });
    await expect(read(jwt)).rejects.toThrow("nbf");
  });

  test("is issued for the configured media server", async () => {
    const livekit = { url: "ws://127.0.0.1:7880", key: "APIown", secret: "a secret of one's own" };
    const own = await startSandbox({ livekit, validateReplies: true });
    onTestFinished(() => own.close());
    const made = await token(own.account());
    expect(made.url).toBe("ws://127.0.0.1:7880");
    expect(await read(made.token, "APIown", "a secret of one's own")).toMatchObject({ iss: "APIown" });
    await expect(read(made.token)).rejects.toThrow("signature");
  });

  test("is not stored: neither the record nor the request journal has it", async () => {
    const account = sandbox.account();
    const { token: jwt } = await token(account, { ...ada, room_name: "clinic" });
    const shown = JSON.stringify([await account.snapshot(), await account.requests.list()]);
    expect(shown).toContain("clinic");
    expect(shown).not.toContain(jwt.split(".")[2]);
  });
});

describe("a request is refused that", () => {
  const refused =
    (body: object, code: string, param: string, type = "video") =>
    async (account: SandboxAccount = sandbox.account()) => {
      const { status, body: reply } = await askToken(account, body, type);
      expect([status, reply.error.code, reply.error.param]).toEqual([400, code, param]);
    };

  test("names an unknown type, and lists the three types", async () => {
    await refused(ada, "validation_error", "session_type", "audio")();
    const { body } = await askToken(sandbox.account(), ada, "audio");
    expect(body.error.message).toContain("video, voice, stream");
  });

  test("omits identity or role", async () => {
    await refused({ role: "viewer" }, "missing_field", "identity")();
    await refused({ identity: "ada" }, "missing_field", "role")();
  });

  test.each([
    ["an empty identity", { ...ada, identity: "" }, "identity"],
    ["an identity of 257 characters", { ...ada, identity: "x".repeat(257) }, "identity"],
    ["an identity that is a number", { ...ada, identity: 7 }, "identity"],
    ["a role that there is not", { ...ada, role: "admin" }, "role"],
    ["an empty room name", { ...ada, room_name: "" }, "room_name"],
    ["a room name of 257 characters", { ...ada, room_name: "x".repeat(257) }, "room_name"],
    ["a display name of 257 characters", { ...ada, display_name: "x".repeat(257) }, "display_name"],
  ])("has %s", async (_what, body, param) => {
    await refused(body, "validation_error", param)();
  });

  test("has an error outcome, and creates no session", async () => {
    const account = sandbox.account();
    const { status } = await askToken(account, chidi, "video", {
      "X-Sandbox-Outcome": "provider_unavailable",
    });
    expect(status).toBe(503);
    expect((await account.snapshot()).state).not.toHaveProperty("session");
  });
});

test.each(["__proto__", "constructor", "room:1", "7", " ", "\u0000", "\ud800", "😀".repeat(256)])(
  "a room may be named %j, and its session outlives a snapshot",
  async (room_name) => {
    const account = sandbox.account();
    const { session_id } = await token(account, { ...ada, room_name });
    await account.restore(await account.snapshot());
    expect(await token(account, { ...chidi, room_name })).toMatchObject({ session_id });
  },
);
