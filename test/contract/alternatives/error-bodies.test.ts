import { afterEach, describe, expect, test } from "vitest";
import { type ErrorCode, errors } from "../../../src/contract/errors.js";
import { raw } from "../../support/raw.js";
import { call, post, type Reply, type useSandbox } from "../../support/sandbox.js";
import { ask, askWrongly, byId, takesInput } from "./asking.js";
import { refusals } from "./refused.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

type TestSandbox = ReturnType<typeof useSandbox>;

const nobody = { "X-Service-Key": "", Authorization: "" };

/** Tests that hold for both shapes. */
function describeEach(sandbox: TestSandbox, expectRefused: (reply: Reply, code: ErrorCode) => void) {
  const contract = useContract(sandbox);
  afterEach(() => expect(sandbox.warnings).toEqual([]));

  test.each(byId())("%s, without credentials and with invalid input", async (_id, operation) => {
    const account = sandbox.account();
    const stranger = await ask(account, operation, { headers: nobody });
    expectRefused(stranger, operation.auth === "session" ? "invalid_session_token" : "missing_api_key");
    contract().expectDescribes(operation, stranger);
    const wrong = await askWrongly(account, operation);
    expect(wrong.status).toBe(400);
    expectRefused(wrong, wrong.body.code);
    if (takesInput(operation)) contract().expectDescribes(operation, wrong);
  });

  test.each(refusals)("%s: %s", async (code, _what, refused) => {
    const reply = await refused(sandbox.account());
    expect(reply.status).toBe(errors[code].status);
    expectRefused(reply, code);
  });

  test("malformed HTTP", async () => {
    const { status, headers, body } = await raw(
      await sandbox.listen(),
      "BREW /v1/balance HTTP/1.1\r\nHost: a\r\n\r\n",
    );
    expectRefused({ status, headers: new Headers(headers), body: JSON.parse(body) }, "validation_error");
  });

  test("the control API's errors are unchanged", async () => {
    const reply = await post(sandbox.account(), "/_sandbox/clock/advance", { by: "soon" });
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(reply.body.error).toMatchObject({ type: "invalid_request_error", code: "validation_error" });
  });
}

describe("problem: every refusal is RFC 9457 problem details", () => {
  const sandbox = useAlternative("errors.body", "problem");
  const members = ["type", "title", "status", "detail", "code", "param", "details", "request_id"];

  describeEach(sandbox, ({ status, headers, body }, code) => {
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(Object.keys(body)).toEqual(members);
    expect(body).toMatchObject({
      type: `urn:standin:error:${code}`,
      title: errors[code].message,
      status,
      detail: expect.stringMatching(/\S/),
      code,
      request_id: headers.get("x-request-id"),
    });
  });

  test("additional fields of a code are included", async () => {
    const account = sandbox.account();
    await account.update({ plan: "starter" });
    const [channel] = (await call(account, "GET", "/v1/wa/channels")).body;
    const { status, body } = await post(account, `/v1/wa/channels/${channel.id}/otp`, {
      to: "2348031234567",
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: "plan_required", required_plan: "growth" });
  });

  test("details lists every invalid field", async () => {
    const { body } = await post(sandbox.account(), "/v1/verify/bank-account", { account_number: "1" });
    expect(body.details.map(({ param, code }: { param: string; code: string }) => [param, code])).toEqual(
      expect.arrayContaining([
        ["account_number", "invalid_account_number"],
        ["bank_code", "missing_field"],
      ]),
    );
  });
});

describe("flat: every refusal is a code and a message", () => {
  const sandbox = useAlternative("errors.body", "flat");

  describeEach(sandbox, ({ headers, body }, code) => {
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(body).toEqual({ code, message: expect.stringMatching(/\S/) });
  });
});
