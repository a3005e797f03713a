/** Misspelt query parameters and values that only resemble numbers and booleans are refused and have no effect. */
import { describe, expect, test } from "vitest";
import { methodOf } from "../../src/contract/operation.js";
import { controlOperations } from "../../src/control/index.js";
import { serviceOperations } from "../../src/service/index.js";
import { targetOf } from "../support/requests.js";
import { call, post, useSandbox } from "../support/sandbox.js";

describe.each([{}, { "fields.unmarked": "refused" as const }])("with the assumptions %j", (assumptions) => {
  const sandbox = useSandbox({ assumptions });

  test("a misspelt keep does not empty the account", async () => {
    const account = sandbox.account();
    await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
    const { status, body } = await post(account, "/_sandbox/scenarios/payout-rejected/load?kep=true", {});
    expect([status, body.error.code, body.error.param]).toEqual([400, "unknown_field", "kep"]);
    expect(body.error.message).toBe("kep is not a field of the query, which has keep; the nearest is keep.");
    expect(await account.inbox.list()).toHaveLength(1);
  });

  test("an operation without query parameters reports that", async () => {
    const { status, body } = await call(sandbox.account(), "GET", "/_sandbox/account?colour=red");
    expect([status, body.error.param]).toEqual([400, "colour"]);
    expect(body.error.message).toBe("colour is not a field of the query, which has none.");
  });

  test("all unknown names are reported", async () => {
    const { body } = await call(
      sandbox.account(),
      "GET",
      "/_sandbox/deliveries?evnt=payout.paid&state=failed",
    );
    expect(body.error.details.map(({ param }: { param: string }) => param)).toEqual(["evnt", "state"]);
  });

  test("known names are accepted", async () => {
    const account = sandbox.account();
    expect((await call(account, "GET", "/_sandbox/deliveries?event=payout.paid")).status).toBe(200);
  });
});

describe("a query parameter", () => {
  const sandbox = useSandbox();
  // An upload's query is read after its form; the video scan has its own test of `frames`.
  const operations = [...serviceOperations, ...controlOperations].filter(({ upload }) => !upload);
  const fieldsOf = (...types: string[]) =>
    operations.flatMap((operation) =>
      Object.entries(operation.query?.properties ?? {})
        .filter(([, schema]) => types.includes((schema as { type?: string }).type ?? ""))
        .map(([field]) => ({ id: operation.id, field, operation })),
    );
  const integers = fieldsOf("integer", "number");
  const booleans = fieldsOf("boolean");

  /** Value of the path parameter: a kind of export, or a machine. */
  const paramFor = ({ id }: { id: string }) => (id === "exportAccount" ? "scenario" : "payment");
  const replyTo = (operation: (typeof operations)[number], search: string) =>
    call(sandbox.account(), methodOf(operation), targetOf(operation, paramFor(operation), search));

  test("that has hundreds of digits is refused as what it is", async () => {
    const { status, body } = await call(sandbox.account(), "GET", `/_sandbox/inbox?limit=${"9".repeat(400)}`);
    expect(status).toBe(400);
    expect(body.error.message).toBe("limit must be at most 10000; got a number with hundreds of digits.");
  });

  test("that is a number exists for every list of the control API with a limit", () => {
    const limited = integers.filter(({ field }) => field === "limit").map(({ id }) => id);
    expect(limited.sort().join(" ")).toBe(
      "getLedger listActivity listDeliveries listEvents listHeld listMessages listRecords listRequests",
    );
  });

  test.each(integers)("$field of $id is an integer in plain decimal digits", async ({ operation, field }) => {
    expect((await replyTo(operation, `${field}=12`)).status).toBe(200);
    for (const text of ["1e1", "0x0c", "12.0", "+12", " 12", "12 ", "012", "1_2", "١٢", "twelve", ""]) {
      const { status, body } = await replyTo(operation, `${field}=${encodeURIComponent(text)}`);
      expect([status, body.error.code, body.error.param], text).toEqual([400, "validation_error", field]);
      expect(body.error.message).toBe(`${field} must be an integer; got ${JSON.stringify(text)}.`);
    }
  });

  test.each(booleans)("$field of $id is true or false", async ({ operation, field }) => {
    for (const text of ["1", "0", "yes", "TRUE", " true", "null", ""]) {
      const { status, body } = await replyTo(operation, `${field}=${encodeURIComponent(text)}`);
      expect([status, body.error.code, body.error.param], text).toEqual([400, "validation_error", field]);
      expect(body.error.message).toBe(`${field} must be a boolean; got ${JSON.stringify(text)}.`);
    }
  });
});
