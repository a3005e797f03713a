import { describe, expect, test } from "vitest";
import type { Expectation, RequestExpectation, SandboxAccount } from "../../src/index.js";
import { post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
const operation = "startPhoneVerification";
const path = "/v1/phone/verify/start";
const phone = "+2348031234567";

const start = (account: SandboxAccount, more: object = {}, query = "", headers = {}) =>
  post(account, path + query, { phone, ...more }, headers);
const verify = (account: SandboxAccount, parts: Omit<RequestExpectation, "operation"> = {}) =>
  account.control<Expectation>("POST", "/requests/expect", { operation, ...parts });
const differences = (found: Expectation) => found.nearest.map(({ differences }) => differences);

describe("an expectation about the requests of an account", () => {
  const request = [{ reference: "no 17" }, "?tag=a&tag=b&debug=1", { "X-Tenant": "one" }] as const;

  test.each<[string, Omit<RequestExpectation, "operation">, Omit<RequestExpectation, "operation">]>([
    ["the body, by the given fields", { body: { phone } }, { body: { phone: "+2348031234568" } }],
    ["the query", { query: { debug: "1" } }, { query: { debug: "2" } }],
    ["arrays as a whole", { query: { tag: ["a", "b"] } }, { query: { tag: ["a"] } }],
    [
      "headers, with names in any case",
      { headers: { "x-TENANT": "one" } },
      { headers: { "X-Tenant": "One" } },
    ],
    ["the path, without its query", { path }, { path: "/v1/phone/verify/check" }],
    ["the status", { status: 201 }, { status: 400 }],
    [
      "patterns with the whole value",
      { body: { reference: "/no \\d+/" } },
      { body: { reference: "/\\d+/" } },
    ],
    ["patterns in headers", { headers: { "X-Tenant": "/one|two/" } }, { headers: { "X-Tenant": "/o|t/" } }],
    ["the presence of a field", { body: { reference: "/.*/" } }, { body: { template: "/.*/" } }],
  ])("compares %s", async (_what, right, wrong) => {
    const account = sandbox.account();
    await start(account, ...request);
    expect(await verify(account, right)).toMatchObject({ matched: true, count: 1, nearest: [] });
    expect(await verify(account, wrong)).toMatchObject({ matched: false, requests: [], nearest: [{}] });
  });

  test.each<[RequestExpectation["times"], string, boolean]>([
    [undefined, "at least 1", true],
    [2, "exactly 2", true],
    [1, "exactly 1", false],
    [0, "exactly 0", false],
    [{ min: 3 }, "at least 3", false],
    [{ max: 2 }, "at most 2", true],
    [{ min: 1, max: 2 }, "1 to 2", true],
  ])("with times %j expects %s, and is %s for two requests", async (times, expected, matched) => {
    const account = sandbox.account();
    await start(account);
    await start(account);
    const found = await verify(account, times === undefined ? {} : { times });
    expect(found).toMatchObject({ matched, count: 2, expected });
  });

  test("returns at most 20 matching requests, newest first, as the journal shows them", async () => {
    const account = sandbox.account();
    for (let i = 0; i < 22; i++) await start(account, { reference: String(i) });
    const found = await verify(account);
    expect(found.count).toBe(22);
    expect(found.requests).toEqual((await account.requests.list()).slice(0, 20));
  });

  test("returns the three nearest misses, the one with the fewest differences first", async () => {
    const account = sandbox.account();
    await post(account, "/v1/phone/verify/check", {});
    await start(account, { phone: "+2348031234568", reference: "b" });
    await start(account, { reference: "b" });
    await start(account, { phone: "+2348031234569", reference: "c" });
    expect(differences(await verify(account, { body: { phone, reference: "a" } }))).toEqual([
      [{ at: "body.reference", expected: "a", actual: "b" }],
      [
        { at: "body.phone", expected: phone, actual: "+2348031234569" },
        { at: "body.reference", expected: "a", actual: "c" },
      ],
      [
        { at: "body.phone", expected: phone, actual: "+2348031234568" },
        { at: "body.reference", expected: "a", actual: "b" },
      ],
    ]);
  });

  test("reports that another operation was called, and omits the actual value of a missing field", async () => {
    const account = sandbox.account();
    await post(account, "/v1/phone/verify/check", {});
    const [[other, missing] = []] = differences(await verify(account, { body: { phone: "/\\+234.*/" } }));
    expect(other).toEqual({ at: "operation", expected: operation, actual: "checkPhoneVerification" });
    expect(missing).toEqual({ at: "body.phone", expected: "/\\+234.*/" });
  });

  test("has no nearest misses when too many requests match, and none from another account", async () => {
    const account = sandbox.account();
    await start(account, { reference: "a" });
    await start(account);
    expect(await verify(account, { body: { reference: "a" }, times: 0 })).toMatchObject({ nearest: [] });
    expect(await verify(sandbox.account())).toMatchObject({ matched: false, count: 0, nearest: [] });
  });

  test("compares secrets as sent, and shows them redacted", async () => {
    const account = sandbox.account();
    const bvn = "22312345678";
    await post(account, "/v1/verify/bvn", { bvn, first_name: "Ada" });
    const wanted = { operation: "verifyBvn", headers: { "x-service-key": account.key } };
    const right = await verify(account, { ...wanted, body: { bvn } });
    const wrong = await verify(account, { ...wanted, body: { bvn: "1" }, headers: { "X-Service-Key": "k" } });
    expect(right.count).toBe(1);
    expect(differences(wrong)).toEqual([
      expect.arrayContaining([
        { at: "body.bvn", expected: "1", actual: "[redacted]" },
        { at: "headers.x-service-key", expected: "k", actual: "[redacted]" },
      ]),
    ]);
    for (const secret of [bvn, account.key]) expect(JSON.stringify([right, wrong])).not.toContain(secret);
  });

  test("shows nothing of a body that is not JSON", async () => {
    const account = sandbox.account();
    await post(account, path, "x22312345678");
    const found = await verify(account, { body: { phone } });
    expect(differences(found)).toEqual([[{ at: "body", expected: { phone }, actual: "[redacted]" }]]);
    expect(JSON.stringify(found)).not.toContain("22312345678");
  });

  test("is not in the journal itself", async () => {
    const account = sandbox.account();
    await verify(account);
    expect(await account.requests.list()).toEqual([]);
  });
});

describe("an invalid expectation is refused", () => {
  test.each<[string, object, string, RegExp]>([
    [
      "of an unknown operation",
      { operation: "startPhoneVerificatoin" },
      "operation",
      /is startPhoneVerification\./,
    ],
    ["with a pattern that is not valid", { body: { a: ["/(/"] } }, "body.a.0", /missing closing \)/],
    ["with a pattern that is valid only in a group", { path: "/a)|(b/" }, "path", /unexpected \)/],
    ["with a pattern with flags", { body: { reference: "/r1/i" } }, "body.reference", /as in \/\(\?i\)r1\//],
    ["with a number in the query", { query: { debug: 1 } }, "query.debug", /a query has texts; use "1"/],
    ["with a minimum above the maximum", { times: { min: 2, max: 1 } }, "times", /min is 2, above max, 1/],
    ["with times without bounds", { times: {} }, "times", /must have at least one of min, max/],
    ["with a word for times", { times: "2" }, "times", /must be an integer or an object; got "2"/],
    ["with a part that requests do not have", { boddy: {} }, "boddy", /boddy/],
  ])("%s", async (_what, parts, param, message) => {
    const account = sandbox.account();
    const refused = await post(account, "/_sandbox/requests/expect", { operation, ...parts });
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    expect(refused.body.error.message).toMatch(message);
  });

  test("if its patterns would take too long on what was received", async () => {
    const account = sandbox.account();
    for (let i = 0; i < 3; i++) await start(account, { reference: "a".repeat(16_000) });
    const slow = { body: { reference: "/(?:(?:a|b)*a){200}c/" } };
    await expect(verify(account, slow)).rejects.toThrow("Matching takes too long. Match fewer parts");
    expect(await verify(account)).toMatchObject({ matched: true });
  });
});
