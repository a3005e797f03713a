import { describe, expect, test } from "vitest";
import { ControlError } from "../../src/index.js";
import { movesOf } from "../../src/library/moves.js";
import { machines } from "../../src/service/machines.js";
import { initialState } from "../../src/world/machine.js";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

/** Moves that can be made by hand: all but those by which a record begins and those that the sandbox alone makes. */
const legal = machines
  .map(({ name, moves }): [string, string[]] => [
    name,
    Object.entries(moves)
      .filter(
        ([, { from, internal }]) => !internal && ![from].flat().every((state) => state === initialState),
      )
      .map(([move]) => move)
      .sort(),
  ])
  .filter(([, moves]) => moves.length > 0);

describe("the library's table of moves has those of the service", () => {
  test("every machine, and no other", () => {
    expect(Object.keys(movesOf).sort()).toEqual(legal.map(([name]) => name).sort());
  });

  test.each(legal)("%s: every move, and no other", (name, moves) => {
    expect([...movesOf[name as keyof typeof movesOf]].sort()).toEqual(moves);
  });
});

test("a move is made by the machine's name, with its input", async () => {
  const account = sandbox.account();
  const { given } = await account.scenario.load({ name: "Moves", given: { payouts: [{}], sessions: [{}] } });
  const [payout] = given.payouts as [{ id: string }];
  expect(await account.moves.payout(payout.id, "reject")).toMatchObject({
    machine: "payout",
    state: "rejected",
  });
  const [session] = given.sessions as [{ session_id: string }];
  const ended = await account.moves.session(session.session_id, "end", { minutes: 12 });
  expect(ended).toMatchObject({ state: "completed", record: { duration_seconds: 720 } });
});

test("a move that is not legal rejects, and names those that are", async () => {
  const account = sandbox.account();
  const { body } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  await account.moves.phone_verification(body.id, "verify");
  const again = account.moves.phone_verification(body.id, "lock");
  await expect(again).rejects.toBeInstanceOf(ControlError);
  await expect(again).rejects.toMatchObject({ status: 409, code: "invalid_state" });
});
