import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { call, post, type Reply, useListeningSandbox } from "../../support/sandbox.js";
import { getBalance } from "../account/calls.js";

const sandbox = useListeningSandbox();
const path = "/v1/audits";

const deep = (account: SandboxAccount, host = "shop.example", headers = {}): Promise<Reply> =>
  post(account, path, { url: `https://${host}`, tier: "deep" }, headers);
const readAudit = async (account: SandboxAccount, id: string) =>
  (await call(account, "GET", `${path}/${id}`)).body;
const emails = (account: SandboxAccount) => account.inbox.list({ channel: "email" });

const resultFields = ["findings", "lighthouse", "ai_signals"];

describe("the states of an audit", () => {
  test("none to ready: a standard audit completes within the call, with all its fields", async () => {
    const account = sandbox.account();
    const { status, body } = await post(account, path, { url: "https://shop.example" });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(
      ["id", "url", "status", "score", "grade", ...resultFields, "cost", "created_at"].sort(),
    );
    expect(body).toMatchObject({ url: "https://shop.example/", status: "ready", cost: 0 });
    expect(body.id).toMatch(/^aud_/);
    expect(Object.keys(body.lighthouse)).toEqual(["performance", "accessibility", "best_practices", "seo"]);
    expect(body.ai_signals.count).toBe(body.ai_signals.signals.length);
    expect(await readAudit(account, body.id)).toEqual(body);
    expect(await emails(account)).toEqual([]);
  });

  test("none to pending: a deep audit is accepted and returned at once", async () => {
    const account = sandbox.account();
    const { status, body } = await deep(account);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^aud_/),
      url: "https://shop.example/",
      status: "pending",
      score: null,
      grade: null,
      tier: "deep",
      active_tests_run: false,
      cost: 5000,
      created_at: expect.any(String),
    });
    expect(await readAudit(account, body.id)).toEqual(body);
  });

  test("pending to ready: the background run completes after 4 minutes and not before", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const accepted = (await deep(account)).body;
    await account.advance("239s");
    expect(await readAudit(account, accepted.id)).toEqual(accepted);
    expect(await emails(account)).toEqual([]);
    await account.advance("1s");
    const ready = await readAudit(account, accepted.id);
    const { score, grade, findings, lighthouse, ai_signals, ...rest } = ready;
    expect({ ...rest, status: "pending", score: null, grade: null }).toEqual(accepted);
    expect(ready.status).toBe("ready");
    const standard = (await post(account, path, { url: "https://shop.example" })).body;
    expect({ score, grade, findings, lighthouse, ai_signals }).toEqual({
      score: standard.score,
      grade: standard.grade,
      findings: standard.findings,
      lighthouse: standard.lighthouse,
      ai_signals: standard.ai_signals,
    });
  });

  test("pending to failed: the background run cannot complete, and is billed all the same", async () => {
    const account = sandbox.account();
    const before = await getBalance(account);
    const accepted = (await deep(account, "deepfail.test")).body;
    expect((await getBalance(account)).balance).toBe(before.balance - 5000);
    await account.advance("4m");
    const { status, score, grade, ...rest } = await readAudit(account, accepted.id);
    expect({ status, score, grade }).toEqual({ status: "failed", score: null, grade: null });
    expect(resultFields.filter((field) => field in rest)).toEqual([]);
    expect((await getBalance(account)).balance).toBe(before.balance - 5000);
    expect((await call(account, "GET", path)).body).toMatchObject([{ status: "failed", cost: 5000 }]);
    const day = accepted.created_at.slice(0, 10);
    const usage = (await call(account, "GET", `/v1/usage?from=${day}&to=${day}`)).body;
    expect(usage.items).toEqual([{ date: day, type: "audit_deep", count: 1, cost: 5000 }]);
  });
});

describe("the email about a deep audit", () => {
  test.each([
    ["ready", "shop.example"],
    ["failed", "deepfail.test"],
  ])("reports that it is %s, once, with a link to the audit", async (status, host) => {
    const account = sandbox.account();
    const { id } = (await deep(account, host)).body;
    await account.advance("1h");
    const audit = await readAudit(account, id);
    expect(audit.status).toBe(status);
    const sent = await emails(account);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.text).toContain(host);
    if (status === "ready") expect(sent[0]?.text).toContain(`${audit.score} of 100, grade ${audit.grade}`);
    expect(sent[0]?.links).toEqual([`${account.baseUrl}${path}/${id}`]);
    const linked = await account.fetch(new URL(sent[0]?.links[0] ?? "").pathname);
    expect(await linked.json()).toEqual(audit);
  });
});

describe("the outcomes of an audit", () => {
  test("the header failed makes any deep audit fail", async () => {
    const account = sandbox.account();
    const { body, headers } = await deep(account, "shop.example", { "X-Sandbox-Outcome": "failed" });
    expect(headers.get("X-Sandbox-Outcome")).toBe("failed; by=header");
    await account.advance("4m");
    expect((await readAudit(account, body.id)).status).toBe("failed");
  });

  test("a standard audit cannot fail: the header failed is refused with the reason", async () => {
    const account = sandbox.account();
    const { status, body } = await post(
      account,
      path,
      { url: "shop.example" },
      { "X-Sandbox-Outcome": "failed" },
    );
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "unknown_outcome", param: "X-Sandbox-Outcome" });
    expect(body.error.message).toContain("only a deep audit can fail");
    expect((await call(account, "GET", path)).body).toEqual([]);
  });

  test("a rule for failed waits for a deep audit", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "createAudit", outcome: "failed", times: 1 });
    const standard = await post(account, path, { url: "shop.example" });
    expect([standard.status, standard.headers.get("X-Sandbox-Outcome")]).toEqual([201, "ready; by=default"]);
    expect((await deep(account)).headers.get("X-Sandbox-Outcome")).toBe("failed; by=rule");
  });

  test("the header ready makes a failing site succeed", async () => {
    const account = sandbox.account();
    const { body } = await deep(account, "deepfail.test", { "X-Sandbox-Outcome": "ready" });
    await account.advance("4m");
    expect((await readAudit(account, body.id)).status).toBe("ready");
  });

  test("a standard audit of deepfail.test is not affected", async () => {
    const { body, headers } = await post(sandbox.account(), path, { url: "deepfail.test" });
    expect([body.status, headers.get("X-Sandbox-Outcome")]).toEqual(["ready", "ready; by=default"]);
  });

  test.each(["https://perfect.test", "PERFECT.test", "https://perfect.test./shop"])(
    "%s has 100 points, an A and no findings",
    async (url) => {
      const { body, headers } = await post(sandbox.account(), path, { url });
      expect(headers.get("X-Sandbox-Outcome")).toBe("ready; by=test-value");
      expect(body).toMatchObject({ score: 100, grade: "A", findings: [] });
      expect(body.ai_signals).toEqual({ signals: [], count: 0 });
    },
  );

  test("unreachable.test is 422, costs nothing and does not use the free first audit", async () => {
    const account = sandbox.account();
    const before = await getBalance(account);
    const refused = await post(account, path, { url: "http://unreachable.test/home" });
    expect(refused.status).toBe(422);
    expect(refused.body.error).toMatchObject({ code: "url_unreachable", param: "url" });
    expect((await deep(account, "unreachable.test")).status).toBe(422);
    expect(await getBalance(account)).toEqual(before);
    expect((await call(account, "GET", path)).body).toEqual([]);
    expect((await post(account, path, { url: "https://shop.example" })).body.cost).toBe(0);
  });

  test("a rule works like the header", async () => {
    const account = sandbox.account();
    await account.rules.add({ on: "createAudit", outcome: "url_unreachable" });
    const { status, headers } = await post(account, path, { url: "https://shop.example" });
    expect([status, headers.get("X-Sandbox-Outcome")]).toEqual([422, "url_unreachable; by=rule"]);
  });
});

describe("a deep audit moved by hand", () => {
  test("complete makes it ready, and it does not complete again by itself", async () => {
    const account = sandbox.account();
    const { id } = (await deep(account)).body;
    expect((await account.records.get(id)).moves).toEqual([
      { move: "complete", to: "ready" },
      { move: "fail", to: "failed" },
    ]);
    await account.records.move(id, "complete");
    expect(await readAudit(account, id)).toMatchObject({ status: "ready", score: expect.any(Number) });
    await account.advance("1h");
    expect(await emails(account)).toHaveLength(1);
  });

  test("fail ends it for good, and it stays billed", async () => {
    const account = sandbox.account();
    const { balance } = await getBalance(account);
    const { id } = (await deep(account)).body;
    await account.records.move(id, "fail");
    await account.advance("1h");
    expect((await readAudit(account, id)).status).toBe("failed");
    expect((await getBalance(account)).balance).toBe(balance - 5000);
    await expect(account.records.move(id, "complete")).rejects.toMatchObject({ code: "invalid_state" });
  });
});
