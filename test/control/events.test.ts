/** Events that a tester sends by hand. */
import { expect, test } from "vitest";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

test("a sent event that no endpoint is registered for comes with a hint", async () => {
  const account = sandbox.account();
  const send = async () => {
    const { status, body } = await post(account, "/_sandbox/events", { event: "payout.paid" });
    return [status, body.hint];
  };
  const registers = "POST /v1/webhooks registers one.";
  expect(await send()).toEqual([
    201,
    `Nobody receives payout.paid: the account has no endpoint. ${registers}`,
  ]);
  await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/one", events: ["payout.failed"] });
  expect(await send()).toEqual([
    201,
    `Nobody receives payout.paid: the account's endpoints take other events. ${registers}`,
  ]);
  await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/two", events: ["payout.paid"] });
  expect(await send()).toEqual([201, undefined]);
});
