import { expect, test } from "vitest";
import { type ErrorCode, errors } from "../../../src/contract/errors.js";
import { card, openCheckout, send } from "../../pages/checkouts.js";
import { sendForm, startCheck } from "../../support/address-check.js";
import { raw } from "../../support/raw.js";
import { post } from "../../support/sandbox.js";
import { ask, askWrongly, byId, operations, takesInput } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const sandbox = useAlternative("errors.validation_status", "422");
const contract = useContract(sandbox);

const start = "/v1/phone/verify/start";

test.each(byId())("%s gets 422 if the request is invalid", async (_id, operation) => {
  const reply = await askWrongly(sandbox.account(), operation);
  expect(reply.status).toBe(422);
  expect(errors[reply.body.error.code as ErrorCode]).toMatchObject({ status: 400, validation: true });
  if (takesInput(operation)) contract().expectDescribes(operation, reply);
});

test.each(byId(({ query }) => query))("%s gets 422 if the query is invalid", async (_id, operation) => {
  const [name] = Object.keys(operation.query?.properties ?? {});
  const reply = await ask(sandbox.account(), operation, { search: `${name}=a&${name}=b`, only: true });
  expect(reply.status).toBe(422);
  contract().expectDescribes(operation, reply);
});

test("malformed JSON and malformed HTTP get 422", async () => {
  expect((await post(sandbox.account(), start, "{")).status).toBe(422);
  expect((await raw(await sandbox.listen(), "BREW / HTTP/1.1\r\nHost: a\r\n\r\n")).status).toBe(422);
});

test("an invalid form on a hosted page gets 422", async () => {
  const { confirm_url } = await startCheck(sandbox.account());
  const { url } = await openCheckout(sandbox.account());
  expect((await sendForm(confirm_url, { proof: "telepathy" })).status).toBe(422);
  expect((await send(url, card("4242"))).status).toBe(422);
});

test("all other refusals keep their status, as do those of the control API", async () => {
  const account = sandbox.account();
  expect((await post(account, "/v1/phone/verify/check", { id: "phv_0", code: "123456" })).status).toBe(404);
  expect((await post(account, start, { phone: "0".repeat(1_100_000) })).status).toBe(413);
  expect((await post(account, start, "{}", { "Content-Type": "text/plain" })).status).toBe(415);
  expect((await post(account, start, { phone: "+2348000000005" })).status).toBe(429);
  expect((await post(account, "/_sandbox/clock/advance", { by: "soon" })).status).toBe(400);
});

test("the contract has no 400 responses, and has 422 wherever input can be invalid", () => {
  for (const operation of operations) {
    expect(contract().statuses(operation), operation.id).not.toContain(400);
    if (takesInput(operation)) expect(contract().statuses(operation), operation.id).toContain(422);
  }
});
