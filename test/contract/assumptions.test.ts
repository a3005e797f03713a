import { afterEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/index.js";
import { registerReceiver } from "../support/receiver.js";
import { call, post } from "../support/sandbox.js";

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function accountUnder(assumptions: Record<string, string>) {
  sandbox = await startSandbox({ assumptions, validateReplies: true });
  return sandbox.account();
}

const path = "/v1/phone/verify/start";
const phone = "+2348031234567";

describe("errors.body", () => {
  test("envelope: an error object with type, code, message, param, details and request id", async () => {
    const account = await accountUnder({});
    const { body, headers } = await post(account, path, {});
    expect(body).toEqual({
      error: {
        type: "invalid_request_error",
        code: "missing_field",
        message: "phone is required.",
        param: "phone",
        details: [{ param: "phone", code: "missing_field", message: "phone is required." }],
        request_id: headers.get("X-Request-Id"),
      },
    });
  });

  test("problem: RFC 9457 problem details", async () => {
    const account = await accountUnder({ "errors.body": "problem" });
    const { status, headers, body } = await post(account, path, {});
    expect(headers.get("content-type")).toContain("application/problem+json");
    expect(body).toMatchObject({
      type: expect.stringContaining("missing_field"),
      title: expect.any(String),
      status,
      code: "missing_field",
    });
    expect(body.detail).toBe("phone is required.");
  });

  test("flat: only code and message", async () => {
    const account = await accountUnder({ "errors.body": "flat" });
    expect((await post(account, path, {})).body).toEqual({
      code: "missing_field",
      message: "phone is required.",
    });
  });

  test("the control API's errors are the same under each value", async () => {
    const account = await accountUnder({ "errors.body": "flat" });
    await expect(account.advance("soon")).rejects.toMatchObject({ status: 400, code: "validation_error" });
  });
});

test("errors.validation_status=422: validation errors get 422, other refusals keep their status", async () => {
  const account = await accountUnder({ "errors.validation_status": "422" });
  for (const body of [{}, { phone: "12" }, "{"]) expect((await post(account, path, body)).status).toBe(422);
  expect((await post(account, "/v1/phone/verify/check", { id: "phv_0", code: "123456" })).status).toBe(404);
  expect((await post(account, path, { phone: "+2348000000005" })).status).toBe(429);
});

test("http.created=ok: creating a record gets 200", async () => {
  const account = await accountUnder({ "http.created": "ok" });
  expect((await post(account, path, { phone })).status).toBe(200);
  expect((await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/" })).status).toBe(200);
});

describe("fields.unmarked", () => {
  test("ignored: an unknown field has no effect", async () => {
    expect((await post(await accountUnder({}), path, { phone, colour: "red" })).status).toBe(201);
  });

  test("refused: the error names the unknown field of a body or query", async () => {
    const account = await accountUnder({ "fields.unmarked": "refused" });
    const { status, body } = await post(account, path, { phone, colour: "red" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "unknown_field", param: "colour" });
    expect(body.error.message).toContain("template");
    expect(
      (await call(account, "GET", "/v1/usage?from=2026-01-01&to=2026-01-02&by=day")).body.error,
    ).toMatchObject({
      code: "unknown_field",
      param: "by",
    });
    expect((await post(account, path, { phone, reference: "x" })).status).toBe(201);
  });
});

test("webhooks.headers=extended: event, delivery and attempt are sent as headers as well", async () => {
  const account = await accountUnder({ "webhooks.headers": "extended" });
  const hook = await registerReceiver(account, {
    answer: (count, response) => response.writeHead(count === 1 ? 500 : 200).end(),
  });
  await account.events.trigger("payout.paid");
  await account.advance("1m");
  const [delivery] = await account.deliveries.list();
  expect(hook.received.map(({ headers }) => headers["x-service-attempt"])).toEqual(["1", "2"]);
  for (const { headers } of hook.received) {
    expect(headers).toMatchObject({ "x-service-event": "payout.paid", "x-service-delivery": delivery?.id });
  }
});

test("the values in force can be read", async () => {
  const account = await accountUnder({ "http.created": "ok" });
  const { items } = await account.control<{
    items: { id: string; value: string | null; values: string[] }[];
  }>("GET", "/assumptions");
  const row = (id: string) => items.find((item) => item.id === id);
  expect(row("http.created")).toMatchObject({ value: "ok", values: ["created", "ok"] });
  expect(row("errors.body")).toMatchObject({ value: "envelope" });
  expect(row("phone.template")).toMatchObject({ value: null, values: [] });
});
