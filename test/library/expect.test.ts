import { expect, test } from "vitest";
import { ControlError, ExpectationError, type OperationId } from "../../src/index.js";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const operation = "startPhoneVerification";
const start = (account: ReturnType<typeof sandbox.account>, phone: string) =>
  post(account, "/v1/phone/verify/start", { phone });

test("an expectation returns the requests that match", async () => {
  const account = sandbox.account();
  await start(account, "+2348031234567");
  const { count, requests } = await account.requests.expect({
    operation,
    body: { phone: "/\\+234\\d{10}/" },
    times: 1,
  });
  expect(count).toBe(1);
  expect(requests).toMatchObject([{ operation, status: 201 }]);
});

test("an unmet expectation names the differences of the nearest requests", async () => {
  const account = sandbox.account();
  await start(account, "+2348031234567");
  const missed = account.requests.expect({ operation, body: { phone: "+2348031234568", reference: "a" } });
  await expect(missed).rejects.toBeInstanceOf(ExpectationError);
  const [request] = await account.requests.list();
  await expect(missed).rejects.toMatchObject({
    name: "ExpectationError",
    message: expect.stringContaining(
      [
        `${operation}: expected at least 1 matching, found 0.`,
        `The nearest is ${request?.id}, POST /v1/phone/verify/start, answered 201: body.phone should be "+2348031234568" and is "+2348031234567"; body.reference should be "a" and is not there.`,
        "What happened last:\n",
      ].join("\n"),
    ),
    expectation: { matched: false, count: 0, nearest: [{ request: { id: request?.id } }] },
  });
});

test("an expectation on an account without requests reports that", async () => {
  await expect(sandbox.account().requests.expect({ operation })).rejects.toThrow("has no requests");
});

test("an unexpected request is counted", async () => {
  const account = sandbox.account();
  await start(account, "+2348031234567");
  await expect(account.requests.expect({ operation, times: 0 })).rejects.toThrow(
    `${operation}: expected exactly 0 matching, found 1.`,
  );
});

test("an expectation on an operation that does not exist is a ControlError", async () => {
  const refused = sandbox.account().requests.expect({ operation: "startPhone" as OperationId });
  await expect(refused).rejects.toBeInstanceOf(ControlError);
  await expect(refused).rejects.toMatchObject({ code: "validation_error" });
});
