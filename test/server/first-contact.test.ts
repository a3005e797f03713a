/** Errors and replies that new users see first. */
import { describe, expect, test } from "vitest";
import { read, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

const messageOf = async (path: string, init: RequestInit = {}): Promise<string> =>
  (await read(await fetch(sandbox.url + path, init))).body.error.message;

describe("an unknown path", () => {
  test.each([
    ["/v1/phone/verify/strat", "/v1/phone/verify/start"],
    ["/v1/balance/", "/v1/balance"],
    ["/v1/Balance", "/v1/balance"],
    ["/phone/verify/start", "/v1/phone/verify/start"],
    ["/balance", "/v1/balance"],
    ["/busines/payouts", "/v1/business/payouts"],
    ["/v1/verify/address/ver_1/documents", "/v1/verify/address/ver_1/document"],
    ["/_sandbox/clock/advanse", "/_sandbox/clock/advance"],
    ["/_sandbox/records/pay_1/move/settle", "/_sandbox/records/pay_1/moves/settle"],
  ])("%s names the nearest one, %s", async (path, nearest) => {
    expect(await messageOf(path, { method: "POST" })).toContain(
      `There is no ${path}; the nearest is ${nearest}.`,
    );
  });

  test.each(["/v1/x", "/nothing-like-it", `/v1/${"a".repeat(500)}`])(
    "%s has no nearest path",
    async (path) => {
      expect(await messageOf(path)).toContain(`There is no ${path}. GET /openapi.json lists`);
    },
  );
});

test.each(["Bearer svc_test_demo", "Basic c3ZjX3Rlc3Q6"])(
  "a key in Authorization is named as the cause: %s",
  async (Authorization) => {
    const reply = await read(await fetch(`${sandbox.url}/v1/balance`, { headers: { Authorization } }));
    expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([
      401,
      "missing_api_key",
      "X-Service-Key",
    ]);
    expect(reply.body.error.message).toContain("not in Authorization");
  },
);

test("browsers get an icon at /favicon.ico", async () => {
  const response = await fetch(`${sandbox.url}/favicon.ico`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
  expect(await response.text()).toMatch(/^<svg/);
});
