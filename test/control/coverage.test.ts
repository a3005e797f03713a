import { describe, expect, test } from "vitest";
import { methodOf, pathOf } from "../../src/contract/operation.js";
import { outcomesOf } from "../../src/rules/outcomes.js";
import { serviceOperations } from "../../src/service/index.js";
import { machines } from "../../src/service/machines.js";
import { eventKinds } from "../../src/service/webhooks/events.js";
import { call, post, useSandbox } from "../support/sandbox.js";
import { operation, outcomes, phone, start, transitions } from "./covered.js";

const sandbox = useSandbox();

describe("the report lists everything, whether it was called or not", () => {
  test("operations with their outcomes, in the order of the service", async () => {
    const report = await sandbox.account().coverage();
    expect(
      report.operations.map(({ operation, method, path, outcomes }) => [
        operation,
        method,
        path,
        outcomes.map(({ name }) => name),
      ]),
    ).toEqual(
      serviceOperations.map((listed) => [
        listed.id,
        methodOf(listed),
        pathOf(listed),
        Object.keys(outcomesOf(listed)),
      ]),
    );
  });

  test("every transition of every machine, in the order of the tables", async () => {
    const { transitions } = await sandbox.account().coverage();
    const rows = machines.flatMap(({ name, moves }) =>
      Object.entries(moves).flatMap(([move, row]) =>
        [row.from].flat().map((from) => ({ name, move, from, row })),
      ),
    );
    expect(transitions.map(({ machine, move, from, to }) => [machine, move, from, to])).toEqual(
      rows.map(({ name, move, from, row: { to } }) => [
        name,
        move,
        from,
        typeof to === "string" ? to : "computed",
      ]),
    );
    expect(transitions.map(({ machine }) => machine)).toContain("delivery");
    const moves = machines.flatMap(({ moves }) => Object.values(moves));
    expect(new Set(moves).size).toBe(moves.length);
  });

  test("the sixteen events, each with the operations that lead to it", async () => {
    const report = await sandbox.account().coverage();
    expect(report.events.map(({ event }) => event)).toEqual([...eventKinds]);
    for (const { operations } of report.events) expect(operations).not.toEqual([]);
    expect(report.events.at(-1)?.operations).toEqual(["createPayout"]);
  });

  test("an unused account has exercised nothing", async () => {
    const { summary, operations } = await sandbox.account().coverage();
    expect(Object.values(summary).map(({ exercised }) => exercised)).toEqual([0, 0, 0, 0]);
    expect([summary.operations.total, summary.events.total]).toEqual([
      serviceOperations.length,
      eventKinds.length,
    ]);
    expect(operations.every(({ calls, statuses }) => calls === 0 && Object.keys(statuses).length === 0)).toBe(
      true,
    );
  });
});

describe("calls and outcomes", () => {
  test("are counted by status and by what decided the reply: default, header, rule, test value", async () => {
    const account = sandbox.account();
    await start(account);
    await start(account, phone, { "X-Sandbox-Outcome": "sms_failed" });
    await start(account, "+2348000000004");
    await account.rules.add({ on: "startPhoneVerification", outcome: "provider_timeout", times: 2 });
    await start(account);
    await start(account);
    const report = await account.coverage();
    expect(operation(report, "startPhoneVerification")).toMatchObject({
      calls: 5,
      statuses: { 201: 3, 504: 2 },
    });
    expect(outcomes(report, "startPhoneVerification")).toEqual({
      sent: 1,
      sms_failed: 1,
      locked: 1,
      provider_timeout: 2,
    });
    expect(report.summary.operations.exercised).toBe(1);
    expect(report.summary.outcomes.exercised).toBe(4);
  });

  test("a request that is refused before its outcome is decided has a status but no outcome", async () => {
    const account = sandbox.account();
    await start(account, 7);
    await start(account, phone, { "X-Sandbox-Outcome": "never" });
    const report = await account.coverage();
    expect(operation(report, "startPhoneVerification")).toMatchObject({ calls: 2, statuses: { 400: 2 } });
    expect(report.summary).toMatchObject({ operations: { exercised: 1 }, outcomes: { exercised: 0 } });
  });

  test.each([
    ["another media type", "text/plain", "{}", 415],
    ["text that is not JSON", "application/json", "{", 400],
    ["JSON that is not an object", "application/json", "[]", 400],
  ])("a request with %s is not a call", async (_what, type, body, status) => {
    const account = sandbox.account();
    const reply = await post(account, "/v1/phone/verify/start", body, { "Content-Type": type });
    expect(reply.status).toBe(status);
    const report = await account.coverage();
    expect(operation(report, "startPhoneVerification")).toMatchObject({ calls: 0, statuses: {} });
    expect(report.summary.operations.exercised).toBe(0);
  });

  test("a call whose connection a fault resets before it is processed has neither status nor outcome", async () => {
    const account = sandbox.account();
    await post(account, "/_sandbox/rules", {
      on: "startPhoneVerification",
      fault: { reply: "reset_before" },
    });
    await expect(start(account)).rejects.toThrow();
    const report = await account.coverage();
    expect(operation(report, "startPhoneVerification")).toMatchObject({ calls: 1, statuses: {} });
    expect(report.summary.outcomes.exercised).toBe(0);
  });

  test("calls of the control API do not count as calls of the service", async () => {
    const account = sandbox.account();
    await account.clock.get();
    await post(account, "/_sandbox/phone/start", { phone });
    const report = await account.coverage();
    expect(report.summary.operations.exercised).toBe(0);
    expect(transitions(report)).toEqual({ "phone_verification send: new → pending": 1 });
  });

  test("what a loaded scenario does itself is counted apart from the calls of clients", async () => {
    const account = sandbox.account();
    await account.scenario.load({
      name: "a shop",
      given: {
        business: { business_name: "Ada's Shop", business_type: "individual", contact_phone: phone },
        virtual_accounts: [{ customer_name: "Bisi Ade", customer_email: "bisi@example.com" }],
      },
    });
    await call(account, "GET", "/v1/business/virtual-accounts");
    const report = await account.coverage();
    expect(operation(report, "createVirtualAccount")).toMatchObject({ calls: 0, scenario_calls: 1 });
    expect(operation(report, "listVirtualAccounts")).toMatchObject({ calls: 1, scenario_calls: 0 });
    expect(report.summary.operations.exercised).toBe(1);
  });
});
