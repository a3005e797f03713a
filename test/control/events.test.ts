/** Events that a tester sends by hand. */
import { expect, test } from "vitest";
import { fetchFrom, post, read, useSandbox } from "../support/sandbox.js";

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

/** Posts a body as written, whose integers JavaScript could not hold. */
const postText = async (path: string, body: string) => {
  const account = sandbox.account();
  const headers = { "X-Service-Key": account.key, "Content-Type": "application/json" };
  return read(await fetchFrom(account, path, { method: "POST", headers, body }));
};

const tooLong = "12345678901234567891";
const why = "is an integer beyond 2^53, which would be rounded; send its digits as a string.";

test.each([
  ["/_sandbox/events", `{"event":"payout.paid","data":{"ids":[1,${tooLong}]}}`, "data.ids.1", "data.ids.1 "],
  [
    "/_sandbox/requests/expect",
    `{"operation":"startPhoneVerification","body":{"reference":-${tooLong}}}`,
    "body.reference",
    "body.reference: ",
  ],
  [
    "/_sandbox/rules",
    `{"on":"startPhoneVerification","outcome":"sms_failed","when":{"body":{"id":${tooLong}}}}`,
    "when.body.id",
    "when.body.id: ",
  ],
])("%s refuses integers that would be rounded", async (path, body, param, beginning) => {
  const reply = await postText(path, body);
  expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([
    400,
    "validation_error",
    param,
  ]);
  expect(reply.body.error.message).toBe(`${beginning}${why}`);
});

test("the largest exact integers are sent and matched to the digit", async () => {
  const { status, body } = await postText(
    "/_sandbox/events",
    `{"event":"payout.paid","data":{"id":9007199254740991}}`,
  );
  expect([status, body.data]).toEqual([201, { id: 9007199254740991 }]);
});
