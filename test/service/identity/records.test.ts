import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { type CheckId, checkIds, checks, modes, send, storedChecks, unknown } from "./checks.js";

const sandbox = useSandbox();

/** All but the last two characters masked; liveness and face match have no number. */
const masks: Partial<Record<CheckId, string>> = {
  verifyBvn: "*********10",
  verifyNin: "*********10",
  verifyFrsc: "**********67",
  verifyBankAccount: "********69",
  verifyBvnAccountMatch: "********69",
};

describe.each(modes)("the record of a check on a %s key", (mode) => {
  test.each(checkIds)("of %s has the masked number and no details of the person", async (id) => {
    const account = sandbox.account({ mode });
    await account.clock.freeze("2026-01-01T00:00:00.000Z");
    const { body } = await send(account, id);
    const entry = await account.records.get(body.id);
    const { identifier, ...record } = entry.record;
    expect(record).toEqual({
      id: body.id,
      type: checks[id].type,
      status: "success",
      match: body.match,
      confidence_score: body.confidence_score ?? null,
      cost: checks[id].price,
      currency: "NGN",
      is_test: mode === "test",
      created_at: "2026-01-01T00:00:00.000Z",
    });
    if (id !== "verifyDocument") expect(identifier).toBe(masks[id] ?? null);
    expect(entry).toMatchObject({ machine: "verification", state: "success", moves: [] });
    expect(entry.history).toEqual([
      { at: "2026-01-01T00:00:00.000Z", move: "complete", from: "new", to: "success", by: "api" },
    ]);
  });
});

test("the record of a document has its masked number", async () => {
  const account = sandbox.account();
  const { body } = await send(account, "verifyDocument");
  const number: string = body.data.document_number;
  const { record } = await account.records.get(body.id);
  expect(record.identifier).toBe("*".repeat(number.length - 2) + number.slice(-2));
});

test("a licence with spaces and hyphens is masked as its plain number", async () => {
  const account = sandbox.account();
  const { body } = await send(account, "verifyFrsc", { licence_number: "lsr-48213aa05" });
  expect((await account.records.get(body.id)).record.identifier).toBe("**********05");
});

test("the record of a number that was not found has the masked number and its price", async () => {
  const account = sandbox.account();
  const { body } = await send(account, "verifyBvn", { bvn: "22222222221" });
  const { state, record } = await account.records.get(body.id);
  expect(state).toBe("not_found");
  expect(record).toMatchObject({ status: "not_found", identifier: "*********21", match: false, cost: 50 });
});

test("a completed check has no moves", async () => {
  const account = sandbox.account();
  const { body } = await send(account, "verifyNin");
  await expect(account.records.move(body.id, "complete")).rejects.toMatchObject({
    status: 409,
    code: "invalid_state",
  });
});

test("records of other accounts are not visible", async () => {
  const { body } = await send(sandbox.account(), "verifyNin");
  await expect(sandbox.account().records.get(body.id)).rejects.toMatchObject({ code: "resource_not_found" });
});

test("no stored data contains a submitted number, name or birth date, whatever the outcome", async () => {
  const account = sandbox.account();
  const sent = { first_name: "Distinctgiven", last_name: "Distinctfamily" };
  for (const outcome of ["match", "partial_match", "no_match", "not_found", "provider_timeout"]) {
    const headers = { "X-Sandbox-Outcome": outcome };
    await send(account, "verifyBvn", { ...sent, date_of_birth: "1903-03-03" }, headers);
    for (const id of ["verifyNin", "verifyFrsc"] as const) await send(account, id, sent, headers);
    for (const id of ["verifyBankAccount", "verifyBvnAccountMatch"] as const)
      await send(account, id, {}, headers);
  }
  expect(await storedChecks(account)).toHaveLength(20);
  const stored = JSON.stringify(await account.control("GET", "/snapshot"));
  const secrets = [...Object.values(unknown), ...Object.values(sent), "1903-03-03", "8031234567"];
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
});

test.each(checkIds)("a refused %s leaves no record", async (id) => {
  const account = sandbox.account();
  for (const outcome of ["internal_error", "provider_unavailable", "provider_timeout", "rate_limited"])
    await send(account, id, {}, { "X-Sandbox-Outcome": outcome });
  expect(await storedChecks(account)).toEqual([]);
  await send(account, id);
  expect(await storedChecks(account)).toHaveLength(1);
});
