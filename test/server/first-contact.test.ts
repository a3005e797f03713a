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
    ["/health", "/healthz"],
    ["/_sandbox/records/pay_1/move/settle", "/_sandbox/records/pay_1/moves/settle"],
  ])("%s names the nearest one, %s", async (path, nearest) => {
    expect(await messageOf(path, { method: "POST" })).toContain(
      `There is no ${path}; the nearest is ${nearest}.`,
    );
  });

  test.each([
    ["/v1/wa/channels//otp", "/v1/wa/channels/{channel_id}/otp, and channel_id is empty here"],
    [
      "/v1/wa/channels//verify-identity/idq_1",
      "/v1/wa/channels/{channel_id}/verify-identity/{verification_id}, and channel_id is empty here",
    ],
    ["/v1/domains/verify//check", "/v1/domains/verify/{domain_id}/check, and domain_id is empty here"],
  ])("%s with nothing where a parameter belongs names the parameter", async (path, nearest) => {
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

test.each([
  ["/v1/verify/address", { radius_m: 0 }, "radius_m must be greater than 0; got 0."],
  ["/v1/wa/channels/wac_1/otp", { length: 3 }, "length must be at least 4; got 3."],
  ["/v1/wa/channels/wac_1/otp", { length: 9 }, "length must be at most 8; got 9."],
  ["/v1/wa/channels", { label: "" }, 'label must have at least 1 character; got "".'],
  ["/v1/wa/channels", { label: "x".repeat(101) }, "label must have at most 100 characters; got "],
  ["/v1/verify/address", { full_name: " " }, 'full_name must be a text with visible characters; " " is not.'],
  ["/v1/webhooks", { events: [] }, "events must have at least 1 item; got an array."],
  [
    "/v1/tools/generate-logo",
    { primary_color: "teal" },
    'primary_color must be a hex colour such as #0F766E or #FFF; "teal" is not.',
  ],
  [
    "/v1/phone/verify/start",
    { phone_number: "+2348031234567" },
    "phone is required; the body has phone_number.",
  ],
  ["/v1/phone/verify/start", { Phone: "+2348031234567" }, "phone is required; the body has Phone."],
  ["/v1/phone/verify/start", { template: "{code}", colour: "red" }, "phone is required."],
  [
    "/v1/phone/verify/check",
    { phone: "08031234567", code: "123456" },
    "id is required: id returned by POST /v1/phone/verify/start; the body has phone in its place.",
  ],
  ["/v1/verify/nin", { nin_number: "63184920571" }, "nin is required; the body has nin_number."],
])("%s with %j is refused in plain words", async (path, fields, message) => {
  const headers = { "X-Service-Key": "svc_test_first", "Content-Type": "application/json" };
  expect(await messageOf(path, { method: "POST", headers, body: JSON.stringify(fields) })).toContain(message);
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

test.each([
  ["X-Api-Key", "/v1/balance", { "X-Api-Key": "svc_test_elsewhere" }],
  ["the query (api_key)", "/v1/balance?api_key=svc_test_elsewhere", {}],
])("a key in %s is named as the cause", async (place, path, headers) => {
  expect(await messageOf(path, { headers })).toContain(`the API key belongs there, not in ${place}.`);
});

test("browsers get an icon at /favicon.ico", async () => {
  const response = await fetch(`${sandbox.url}/favicon.ico`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
  expect(await response.text()).toMatch(/^<svg/);
});
