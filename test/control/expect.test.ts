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

describe("an expectation on the requests of an account", () => {
  const request = [{ reference: "no 17" }, "?tag=a&tag=b&debug=1", { "X-Tenant": "one" }] as const;

  test.each<[string, Omit<RequestExpectation, "operation">, Omit<RequestExpectation, "operation">]>([
    ["the body, by the fields named", { body: { phone } }, { body: { phone: "+2348031234568" } }],
    ["the query", { query: { debug: "1" } }, { query: { debug: "2" } }],
    ["an array, whole", { query: { tag: ["a", "b"] } }, { query: { tag: ["a"] } }],
    ["headers, in any case", { headers: { "x-TENANT": "one" } }, { headers: { "X-Tenant": "One" } }],
    ["the path, without its query", { path }, { path: "/v1/phone/verify/check" }],
    ["the status", { status: 201 }, { status: 400 }],
    ["a pattern, whole", { body: { reference: "/no \\d+/" } }, { body: { reference: "/\\d+/" } }],
    ["a pattern in a header", { headers: { "X-Tenant": "/one|two/" } }, { headers: { "X-Tenant": "/o|t/" } }],
    ["a field that is there", { body: { reference: "/.*/" } }, { body: { template: "/.*/" } }],
  ])("looks at %s", async (_what, right, wrong) => {
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
  ])("with times %j wants %s, and of two requests says %s", async (times, expected, matched) => {
    const account = sandbox.account();
    await start(account);
    await start(account);
    const found = await verify(account, times === undefined ? {} : { times });
    expect(found).toMatchObject({ matched, count: 2, expected });
  });

  test("shows the requests that match newest first, at most 20, as the journal shows them", async () => {
    const account = sandbox.account();
    for (let i = 0; i < 22; i++) await start(account, { reference: String(i) });
    const found = await verify(account);
    expect(found.count).toBe(22);
    expect(found.requests).toEqual((await account.requests.list()).slice(0, 20));
  });

  test("names the three nearest misses, the one with the fewest differences first", async () => {
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

  test("tells that another operation was called, and leaves out the actual value of what is not there", async () => {
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

  test("matches secrets in the clear and shows none", async () => {
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

  test("stays out of the journal that it looks at", async () => {
    const account = sandbox.account();
    await verify(account);
    expect(await account.requests.list()).toEqual([]);
  });
});

describe("an expectation that cannot be is refused", () => {
  test.each<[string, object, string, RegExp]>([
    ["of no operation", { operation: "startPhoneVerificatoin" }, "operation", /is startPhoneVerification\./],
    ["with a pattern that is not valid", { body: { a: ["/(/"] } }, "body.a.0", /Unterminated group/],
    ["with a pattern that is valid only in a group", { path: "/a)|(b/" }, "path", /Unmatched/],
    ["with more at least than at most", { times: { min: 2, max: 1 } }, "times", /min is 2, above max, 1/],
    ["with times that bound nothing", { times: {} }, "times", /times/],
    ["with a part that requests do not have", { boddy: {} }, "boddy", /boddy/],
  ])("%s", async (_what, parts, param, message) => {
    const account = sandbox.account();
    const refused = await post(account, "/_sandbox/requests/expect", { operation, ...parts });
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    expect(refused.body.error.message).toMatch(message);
  });

  test("when its pattern would hold up the sandbox", async () => {
    const account = sandbox.account();
    await start(account, { reference: `${"a".repeat(60)}!` });
    await expect(verify(account, { body: { reference: "/(a+)+/" } })).rejects.toThrow("longer than 2000 ms");
    expect(await verify(account)).toMatchObject({ matched: true });
  });
});
