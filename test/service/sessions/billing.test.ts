/** Interface: "Real-time sessions" (billed per participant-minute) and "Real-time session" in States and transitions. */
import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { getBalance, usage } from "../account/calls.js";
import { ada, askToken, chidi, end, listed, token } from "./rooms.js";

const sandbox = useSandbox();
const room_name = "clinic";

/** Creates a session with tokens for these identities, on a frozen clock. */
async function opened(type = "video", identities: readonly string[] = ["ada"]) {
  const account = sandbox.account();
  await account.clock.freeze("2030-05-01T12:00:00Z");
  let id = "";
  for (const identity of identities)
    ({ session_id: id } = await token(account, { identity, role: "publisher", room_name }, type));
  return { account, id };
}

const spent = async (account: SandboxAccount): Promise<number> =>
  1_000_000 - (await getBalance(account)).balance;

test("Observed status: completed", async () => {
  const { account, id } = await opened("video", ["ada", "chidi"]);
  await end(account, id, { minutes: 12 });
  expect(await listed(account, id)).toEqual({
    id,
    type: "video",
    room_name,
    status: "completed",
    duration_seconds: 720,
    cost: 120,
    currency: "NGN",
    created_at: "2030-05-01T12:00:00.000Z",
  });
});

describe("Billed per participant-minute", () => {
  test.each([
    ["video", 5],
    ["voice", 2],
    ["stream", 8],
  ])("a %s session costs NGN %d for each participant and minute", async (type, price) => {
    const { account, id } = await opened(type, ["ada", "chidi", "ngozi"]);
    await end(account, id, { minutes: 10 });
    expect((await listed(account, id)).cost).toBe(30 * price);
    expect(await spent(account)).toBe(30 * price);
  });

  test("an identity with several tokens is one participant", async () => {
    const { account, id } = await opened("video", ["ada", "chidi", "ada", "ada"]);
    await end(account, id, { minutes: 1 });
    expect(await listed(account, id)).toMatchObject({ duration_seconds: 60, cost: 10 });
  });

  test("participants overrides the number of identities with a token", async () => {
    const { account, id } = await opened("video", ["ada", "chidi"]);
    await end(account, id, { minutes: 10, participants: 7 });
    expect((await listed(account, id)).cost).toBe(350);
  });

  test.each([
    [0, 0, 0],
    [0.001, 0, 0],
    [0.5, 30, 5],
    [1, 60, 5],
    [1.5, 90, 10],
    [59.99, 3_599, 300],
  ])(
    "%d minutes are %d seconds and cost NGN %d: each begun minute counts whole",
    async (minutes, seconds, cost) => {
      const { account, id } = await opened();
      await end(account, id, { minutes });
      expect(await listed(account, id)).toMatchObject({ duration_seconds: seconds, cost });
    },
  );

  test("a session without participants costs nothing", async () => {
    const { account, id } = await opened();
    await end(account, id, { minutes: 10, participants: 0 });
    expect(await listed(account, id)).toMatchObject({ status: "completed", duration_seconds: 600, cost: 0 });
    expect(await spent(account)).toBe(0);
  });

  test("without minutes it lasted since it opened", async () => {
    const { account, id } = await opened("voice", ["ada", "chidi"]);
    await account.advance("7m30s");
    await end(account, id);
    expect(await listed(account, id)).toMatchObject({ duration_seconds: 450, cost: 32 });
  });
});

describe("the cost", () => {
  test("is booked in the usage of the day on which the session ended", async () => {
    const { account, id } = await opened("stream");
    await account.advance("11h59m");
    const late = await token(account, { ...chidi, room_name: "late show" }, "stream");
    await account.advance("30m");
    await end(account, late.session_id, { minutes: 30 });
    const { body } = await usage(account, "2030-05-01", "2030-05-02");
    expect(body.items).toEqual([{ date: "2030-05-02", type: "session_stream", count: 1, cost: 240 }]);
    expect(await listed(account, id)).toMatchObject({ status: "expired" });
  });

  test("is billed in full, even if that overdraws the wallet", async () => {
    const { account, id } = await opened();
    await account.update({ balance: 20 });
    await end(account, id, { minutes: 10 });
    expect(await getBalance(account)).toMatchObject({ balance: -30, low_balance: true });
    expect((await listed(account, id)).cost).toBe(50);
  });
});

describe("a wallet that cannot pay for one participant-minute", () => {
  test.each([
    ["video", 4.99, 5],
    ["voice", 1.99, 2],
    ["stream", 7.99, 8],
  ])("gets 402 instead of a %s token, and no session", async (type, little, enough) => {
    const account = sandbox.account();
    await account.update({ balance: little });
    const { status, body } = await askToken(account, ada, type);
    expect([status, body.error.code]).toEqual([402, "insufficient_balance"]);
    expect(body.error.message).toContain("PATCH /_sandbox/account");
    expect((await account.snapshot()).state).not.toHaveProperty("session");
    await account.update({ balance: enough });
    expect((await askToken(account, ada, type)).status).toBe(201);
  });

  test("is reported after a room in use and a requested error", async () => {
    const { account } = await opened();
    await account.update({ balance: 0 });
    expect((await askToken(account, { ...ada, room_name }, "voice")).status).toBe(409);
    expect((await askToken(account, ada, "voice", { "X-Sandbox-Outcome": "rate_limited" })).status).toBe(429);
  });
});

describe("the move end", () => {
  test.each([
    ["minutes", { minutes: -1 }],
    ["minutes", { minutes: 10_081 }],
    ["minutes", { minutes: "5" }],
    ["minutes", { minutes: null }],
    ["participants", { minutes: 1, participants: 1.5 }],
    ["participants", { minutes: 1, participants: -1 }],
    ["participants", { minutes: 1, participants: 100_001 }],
    ["participants", { minutes: 1, participants: [2] }],
  ])("refuses %s of %j and changes nothing", async (param, input) => {
    const { account, id } = await opened();
    const ended = end(account, id, input);
    await expect(ended).rejects.toMatchObject({ status: 400, code: "validation_error" });
    await expect(ended).rejects.toThrow(`${param} must be`);
    expect(await listed(account, id)).toMatchObject({ status: "active", cost: 0 });
    expect(await spent(account)).toBe(0);
  });

  test.each(["completed", "expired"])("is 409 on a session that is %s", async (state) => {
    const { account, id } = await opened();
    await account.records.move(id, state === "completed" ? "end" : "expire");
    await expect(end(account, id, { minutes: 5 })).rejects.toMatchObject({
      status: 409,
      code: "invalid_state",
    });
    expect(await spent(account)).toBe(0);
  });
});
