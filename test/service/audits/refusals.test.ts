import { describe, expect, test } from "vitest";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { costOf, getBalance } from "../account/calls.js";

const sandbox = useSandbox();
const path = "/v1/audits";
const url = "https://shop.example";

describe("a url that is not of a website", () => {
  test.each([
    "ftp://example.com/",
    "javascript:alert(1)",
    "data:text/html,hello",
    "mailto:ada@example.com",
    "not a url",
    "shop",
    "42",
    "0x7f000001",
    "user:pass@example.com",
    "https://user:pass@example.com/",
    "https://",
    "https://exa mple.com",
    "https://example.com:99999/",
    "",
    " ",
    "\u0000",
    "\ud800.example",
    `https://example.com/${"x".repeat(10_000)}`,
    `${"x".repeat(10_000)}.example`,
    null,
    42,
    ["https://example.com"],
  ])("%j is refused, and neither charged nor stored", async (wrong) => {
    const account = sandbox.account();
    const before = await getBalance(account);
    for (const tier of [{}, { tier: "deep" }]) {
      const { status, body } = await post(account, path, { url: wrong, ...tier });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: "validation_error", param: "url" });
    }
    expect(await getBalance(account)).toEqual(before);
    expect((await call(account, "GET", path)).body).toEqual([]);
  });

  test("is reported if missing", async () => {
    const { status, body } = await post(sandbox.account(), path, {});
    expect([status, body.error.code, body.error.param]).toEqual([400, "missing_field", "url"]);
  });
});

test.each([
  ["tier", { tier: "quick" }],
  ["github_repo_url", { tier: "deep", github_repo_url: "not a url" }],
  ["github_repo_url", { tier: "deep", github_repo_url: "http://github.com/shop/site" }],
  ["github_repo_url", { tier: "deep", github_repo_url: "ftp://github.com/shop/site" }],
  ["github_repo_url", { tier: "deep", github_repo_url: "https://github.com" }],
  ["github_repo_url", { tier: "deep", github_repo_url: "https://github.com/shop" }],
  ["github_repo_url", { tier: "deep", github_repo_url: "https://github/shop/site" }],
  ["github_repo_url", { tier: "deep", github_repo_url: "https://me:pw@github.com/shop/site" }],
])("an invalid %s is refused", async (param, fields) => {
  const { status, body } = await post(sandbox.account(), path, { url, ...fields });
  expect([status, body.error.code, body.error.param]).toEqual([400, "validation_error", param]);
});

describe("the price", () => {
  test("of an account's first standard audit is zero, and of each further one NGN 300", async () => {
    const account = sandbox.account();
    const costs = [];
    for (const site of ["a", "b", "b"])
      costs.push(await costOf(account, (on) => post(on, path, { url: `https://${site}.example` })));
    expect(costs).toEqual([0, 300, 300]);
    expect((await call(account, "GET", path)).body.map(({ cost }: { cost: number }) => cost)).toEqual([
      300, 300, 0,
    ]);
    expect(await costOf(sandbox.account(), (other) => post(other, path, { url }))).toBe(0);
  });

  test("of a deep audit is NGN 5,000, including the first one, which does not use the free standard one", async () => {
    const account = sandbox.account();
    for (const _ of [1, 2])
      expect(await costOf(account, (on) => post(on, path, { url, tier: "deep" }))).toBe(5000);
    expect(await costOf(account, (on) => post(on, path, { url }))).toBe(0);
  });

  test("that the wallet cannot pay is 402, and no audit is created", async () => {
    const account = sandbox.account();
    await account.update({ balance: 299 });
    expect((await post(account, path, { url })).status).toBe(201);
    for (const body of [{ url }, { url, tier: "deep" }])
      expect((await post(account, path, body)).body.error.code).toBe("insufficient_balance");
    expect((await call(account, "GET", path)).body).toHaveLength(1);
  });
});

describe("the audits of an account", () => {
  test("are listed newest first, the newest 100 of 103, with the fields of the list", async () => {
    const account = sandbox.account();
    await account.update({ balance: 1_000_000 });
    const made: string[] = [];
    for (let site = 0; site < 103; site++)
      made.push((await post(account, path, { url: `https://shop.example/${site}` })).body.id);
    const { status, body } = await call(account, "GET", path);
    expect(status).toBe(200);
    expect(body.map(({ id }: { id: string }) => id)).toEqual(made.reverse().slice(0, 100));
    const { id, url, score, grade, created_at } = (await call(account, "GET", `${path}/${made[0]}`)).body;
    expect(body[0]).toEqual({ id, url, status: "ready", score, grade, cost: 300, created_at });
  });

  test("include a pending deep one without score and grade", async () => {
    const account = sandbox.account();
    const { id, created_at } = (await post(account, path, { url, tier: "deep" })).body;
    const pending = {
      id,
      url: `${url}/`,
      status: "pending",
      score: null,
      grade: null,
      cost: 5000,
      created_at,
    };
    expect((await call(account, "GET", path)).body).toEqual([pending]);
    await account.advance("4m");
    const [listed] = (await call(account, "GET", path)).body;
    const { score, grade } = (await call(account, "GET", `${path}/${id}`)).body;
    expect(listed).toEqual({ ...pending, status: "ready", score, grade });
    expect(score).toEqual(expect.any(Number));
  });

  test.each(["aud_0", "%20", "phv_1", "__proto__", `${"a".repeat(2_000)}`])(
    "do not have the id %s: 404",
    async (id) => {
      const { status, body } = await call(sandbox.account(), "GET", `${path}/${id}`);
      expect([status, body.error.code]).toEqual([404, "resource_not_found"]);
    },
  );

  test("are not shown to another account", async () => {
    const { id } = (await post(sandbox.account(), path, { url })).body;
    const other = sandbox.account();
    expect((await call(other, "GET", `${path}/${id}`)).status).toBe(404);
    expect((await call(other, "GET", path)).body).toEqual([]);
  });
});

test.each([
  "https://github.com/shop/site",
  "git@github.com:shop/site.git",
  "git@gitlab.shop.example:team/web/site.git",
])("the repository %s is accepted", async (github_repo_url) => {
  const asked = { url: "https://example.com", tier: "deep", github_repo_url };
  expect((await post(sandbox.account(), path, asked)).status).toBe(201);
});

test.each(["standard", null, undefined])("tier %j is a standard audit", async (tier) => {
  const { status, body } = await post(sandbox.account(), path, { url: "https://example.com", tier });
  expect([status, body.status]).toEqual([201, "ready"]);
});
