/** A misspelt query parameter of the control API is refused and has no effect. */
import { describe, expect, test } from "vitest";
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
