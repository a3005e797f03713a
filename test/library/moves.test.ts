import { expect, test } from "vitest";
import { ControlError } from "../../src/index.js";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

test("a move is made by the name of its machine, with input", async () => {
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

test("an illegal move rejects and names the legal ones", async () => {
  const account = sandbox.account();
  const { body } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  await account.moves.phone_verification(body.id, "verify");
  const again = account.moves.phone_verification(body.id, "lock");
  await expect(again).rejects.toBeInstanceOf(ControlError);
  await expect(again).rejects.toMatchObject({ status: 409, code: "invalid_state" });
});
