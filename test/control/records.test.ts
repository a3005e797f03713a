import { describe, expect, test } from "vitest";
import { operationIds } from "../../src/service/index.js";
import { post, useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();

async function started() {
  const account = sandbox.account();
  const { body } = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  return { account, id: body.id as string, verification: body };
}

describe("records and moves", () => {
  test("a record shows its state, its legal moves and its history", async () => {
    const { account, id, verification } = await started();
    expect(await account.records.get(id)).toEqual({
      id,
      machine: "phone_verification",
      state: "pending",
      record: verification,
      moves: [
        { move: "verify", to: "verified" },
        { move: "expire", to: "expired" },
        { move: "lock", to: "max_attempts_reached" },
      ],
      history: [{ at: expect.any(String), move: "send", from: "new", to: "pending", by: "api" }],
    });
  });

  test.each([
    ["verify", "verified"],
    ["expire", "expired"],
    ["lock", "max_attempts_reached"],
  ])("the move %s by hand leads to %s, which the service reports", async (move, status) => {
    const { account, id } = await started();
    const moved = await account.records.move(id, move);
    expect(moved).toMatchObject({ state: status, moves: [], record: { status } });
    expect(moved.history.at(-1)).toMatchObject({ move, by: "control" });
    const { codes } = await account.inbox.wait();
    const reply = await post(account, "/v1/phone/verify/check", { id, code: codes[0] });
    // A code is used once, so it verifies nothing afterwards, whatever the state.
    expect(reply.body).toMatchObject({ status, verified: false });
    expect((await account.advance("1h")).ran).toEqual([]);
  });

  test("an illegal move is 409 invalid_state and names the legal ones", async () => {
    const { account, id } = await started();
    await expect(account.records.move(id, "pay")).rejects.toThrow(/verify, expire, lock/);
    await account.records.move(id, "lock");
    await expect(account.records.move(id, "verify")).rejects.toMatchObject({
      status: 409,
      code: "invalid_state",
    });
    expect((await account.records.get(id)).state).toBe("max_attempts_reached");
  });

  test("an unknown record is 404", async () => {
    await expect(sandbox.account().records.get("phv_nowhere")).rejects.toMatchObject({
      status: 404,
      code: "resource_not_found",
    });
  });
});

test("requests are listed newest first, filtered, with secrets redacted", async () => {
  const { account, id } = await started();
  await post(account, "/v1/phone/verify/check", { id, code: "975310" });
  await post(account, "/v1/phone/verify/start", {});
  const all = await account.requests.list();
  expect(all.map(({ operation, status }) => [operation, status])).toEqual([
    ["startPhoneVerification", 400],
    ["checkPhoneVerification", 200],
    ["startPhoneVerification", 201],
  ]);
  expect(all[0]).toMatchObject({
    error_code: "missing_field",
    method: "POST",
    path: "/v1/phone/verify/start",
  });
  expect(JSON.stringify(all)).not.toContain(account.key);
  expect(JSON.stringify(all)).not.toContain("975310");
  expect(await account.requests.list({ operation: "checkPhoneVerification" })).toHaveLength(1);
  expect(await account.requests.list({ status: 400 })).toHaveLength(1);
});

test("settings can be changed one by one, and amounts with more than two decimals are refused", async () => {
  const account = sandbox.account();
  expect(await account.update({ plan: "growth" })).toMatchObject({ plan: "growth", balance: 1_000_000 });
  expect(await account.update({ balance: 5.25 })).toMatchObject({ plan: "growth", balance: 5.25 });
  await expect(account.update({ balance: 5.255 })).rejects.toMatchObject({ code: "validation_error" });
  const change = (settings: object) => account.control("PATCH", "/account", settings);
  await expect(change({ plan: "gold" })).rejects.toThrow("starter, growth, business");
  await expect(change({ colour: "red" })).rejects.toMatchObject({ code: "unknown_field" });
  const reply = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  expect(reply.status).toBe(402);
  expect(reply.body.error).toMatchObject({ code: "insufficient_balance", type: "billing_error" });
  expect(reply.body.error.message).toContain("PATCH /_sandbox/account");
});

test("control calls without a key use the default account, which the reply names", async () => {
  const response = await fetch(`${sandbox.url}/_sandbox/account`);
  const { id } = (await response.json()) as { id: string };
  expect(response.headers.get("X-Sandbox-Account")).toBe(id);
  expect(await sandbox.account({ key: "svc_test_demo" }).update({})).toMatchObject({ id });
});

test("the outcomes of every operation are listed with their test values", async () => {
  const { items } = await sandbox.account().control<{ items: Record<string, unknown>[] }>("GET", "/outcomes");
  expect(items).toHaveLength(operationIds.length);
  expect(items[0]).toMatchObject({ operation: "startPhoneVerification", default: "sent" });
  expect(JSON.stringify(items[0])).toContain("+2348000000002");
});
