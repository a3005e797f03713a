import { describe, expect, test } from "vitest";
import { call, useSandbox } from "../../support/sandbox.js";
import { ada, chidi, end, list, token } from "./rooms.js";

const sandbox = useSandbox();

describe("GET /v1/streaming/sessions", () => {
  test("is an empty array on a fresh account", async () => {
    const { status, body } = await call(sandbox.account(), "GET", "/v1/streaming/sessions");
    expect([status, body]).toEqual([200, []]);
  });

  test("lists the most recent session first, each with its status and billed cost", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2030-05-01T12:00:00Z");
    const ids: string[] = [];
    for (const [type, room_name] of [
      ["video", "one"],
      ["voice", "two"],
      ["stream", "three"],
    ] as const)
      ids.unshift((await token(account, { ...ada, room_name }, type)).session_id);
    await end(account, ids[2] as string, { minutes: 3 });
    await account.records.move(ids[1] as string, "expire");
    await token(account, { ...chidi, room_name: "three" }, "stream");
    const common = { currency: "NGN", created_at: "2030-05-01T12:00:00.000Z" };
    expect(await list(account)).toEqual([
      {
        id: ids[0],
        type: "stream",
        room_name: "three",
        status: "active",
        duration_seconds: 0,
        cost: 0,
        ...common,
      },
      {
        id: ids[1],
        type: "voice",
        room_name: "two",
        status: "expired",
        duration_seconds: 0,
        cost: 0,
        ...common,
      },
      {
        id: ids[2],
        type: "video",
        room_name: "one",
        status: "completed",
        duration_seconds: 180,
        cost: 15,
        ...common,
      },
    ]);
  });

  test("has the newest 100", async () => {
    const account = sandbox.account();
    const ids: string[] = [];
    for (let i = 0; i < 101; i++) ids.unshift((await token(account)).session_id);
    const listedIds = (await list(account)).map(({ id }: { id: string }) => id);
    expect(listedIds).toEqual(ids.slice(0, 100));
  });

  test("has only the sessions of its own account", async () => {
    const [account, other] = [sandbox.account(), sandbox.account()];
    await token(account);
    expect(await list(other)).toEqual([]);
  });
});
