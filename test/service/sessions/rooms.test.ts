import { describe, expect, test } from "vitest";
import { enterRoom } from "../../../src/service/sessions/sessions.js";
import { temporaryFolder } from "../../support/program.js";
import { useSandbox } from "../../support/sandbox.js";
import { forged } from "../../support/snapshots.js";
import { documentOf } from "../../support/state.js";
import { openWorld } from "../../support/world.js";
import { ada, askToken, chidi, end, list, listed, token } from "./rooms.js";

const sandbox = useSandbox();

const room_name = "clinic";

/** Creates an account with a frozen clock and the first token of a room. */
async function opened(type = "video") {
  const account = sandbox.account();
  await account.clock.freeze("2030-05-01T12:00:00Z");
  const first = await token(account, { ...ada, room_name }, type);
  return { account, id: first.session_id as string };
}

describe("the first token for a room name creates the room", () => {
  test("and its session is active", async () => {
    const { account, id } = await opened();
    expect(await listed(account, id)).toEqual({
      id,
      type: "video",
      room_name,
      status: "active",
      duration_seconds: 0,
      cost: 0,
      currency: "NGN",
      created_at: "2030-05-01T12:00:00.000Z",
    });
  });

  test("and further ones join its session, for the same or another identity", async () => {
    const { account, id } = await opened();
    for (const who of [chidi, ada, { identity: "ada", role: "viewer" }])
      expect(await token(account, { ...who, room_name })).toMatchObject({ session_id: id, room_name });
    expect(await list(account)).toHaveLength(1);
  });

  test("while a different name, or the same name on another account, is a different room", async () => {
    const { account, id } = await opened();
    for (const other of [
      await token(account, { ...ada, room_name: "Clinic" }),
      await token(sandbox.account(), { ...ada, room_name }),
    ])
      expect(other.session_id).not.toBe(id);
  });
});

test("without a room name each token starts a new room with a generated name", async () => {
  const account = sandbox.account();
  const [one, two] = [await token(account), await token(account)];
  expect(one.room_name).toMatch(/^room_[a-z0-9]{12}$/);
  expect(two.room_name).not.toBe(one.room_name);
  expect(two.session_id).not.toBe(one.session_id);
  const joined = await token(account, { ...chidi, room_name: one.room_name });
  expect(joined.session_id).toBe(one.session_id);
});

test("a token of another type for a room in use is 409 invalid_state and names the session", async () => {
  const { account, id } = await opened("voice");
  const { status, body } = await askToken(account, { ...chidi, room_name }, "stream");
  expect([status, body.error.code, body.error.param]).toEqual([409, "invalid_state", "room_name"]);
  expect(body.error.message).toContain(`the voice session ${id}`);
  expect(await list(account)).toHaveLength(1);
});

describe("once its session is completed or expired, a room name opens a new one, of any type", () => {
  test.each(["end", "expire"])("%s", async (move) => {
    const { account, id } = await opened();
    await account.records.move(id, move);
    const next = await token(account, { ...ada, room_name }, "stream");
    expect(next.session_id).not.toBe(id);
    expect(await listed(account, next.session_id)).toMatchObject({ status: "active", type: "stream" });
  });
});

describe("a session that is not ended expires with its last token", () => {
  test("60 minutes after the only one", async () => {
    const { account, id } = await opened();
    await account.advance("59m59s");
    expect(await listed(account, id)).toMatchObject({ status: "active" });
    const { ran } = await account.advance("1s");
    expect(ran).toEqual([
      {
        at: "2030-05-01T13:00:00.000Z",
        kind: "move",
        says: "The video room clinic expires.",
        machine: "session",
        id,
        move: "expire",
        to: "expired",
      },
    ]);
    expect(await listed(account, id)).toMatchObject({ status: "expired", duration_seconds: 0, cost: 0 });
  });

  test("60 minutes after the last of several, and once", async () => {
    const { account, id } = await opened();
    for (const who of [chidi, ada]) {
      await account.advance("40m");
      await token(account, { ...who, room_name });
    }
    expect((await account.advance("59m59s")).ran).toEqual([]);
    expect(await listed(account, id)).toMatchObject({ status: "active" });
    const { ran } = await account.advance("24h");
    expect(ran).toMatchObject([{ at: "2030-05-01T14:20:00.000Z", id, move: "expire" }]);
  });

  test("and costs nothing", async () => {
    const { account } = await opened();
    await account.advance("2h");
    expect(await account.control("GET", "/account")).toMatchObject({ balance: 1_000_000 });
  });

  test("once the clock is past the end, before any job has run: the next token opens a new one", async () => {
    const { account, id } = await opened();
    const later = forged(await account.snapshot(), (document) => {
      document.clock.now = "2030-05-01T13:00:00.000Z";
    });
    await account.restore(later);
    const next = await token(account, { ...chidi, room_name });
    expect(next.session_id).not.toBe(id);
    expect((await list(account)).map(({ status }: { status: string }) => status)).toEqual([
      "active",
      "expired",
    ]);
  });

  test("while an ended session does not expire", async () => {
    const { account, id } = await opened();
    await token(account, { ...chidi, room_name });
    await end(account, id, { minutes: 5 });
    expect((await account.advance("24h")).ran).toEqual([]);
    expect(await listed(account, id)).toMatchObject({ status: "completed" });
  });
});

test("a room named like a property of every object is stored on disk", async () => {
  const account = await openWorld(temporaryFolder()).account("svc_test_rooms");
  const room = { type: "video", room_name: "__proto__", identity: "__proto__" } as const;
  const { id } = account.commit("api", () => enterRoom(account, room));
  const { rooms, session_participants } = documentOf(account.state);
  expect(Object.values(rooms ?? {})).toEqual([{ session_id: id }]);
  expect(Object.keys(session_participants ?? {})).toHaveLength(1);
});
