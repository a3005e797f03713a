import { afterEach, describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { call, post, useSandbox } from "../support/sandbox.js";
import { ref } from "./files.js";

const sandbox = useSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const load = (account: SandboxAccount, given: object, others: object = {}) =>
  account.scenario.load({ name: "A story", given, ...others });

describe("a record that cannot be made", () => {
  const broke = {
    virtual_accounts: [{}],
    payments: [{ amount: 500 }, { virtual_account_id: "va_0" }],
    people: [{}],
  };

  test("is refused with the place and the reason, and earlier records stay", async () => {
    const account = sandbox.account();
    await expect(load(account, broke)).rejects.toMatchObject({
      status: 400,
      code: "validation_error",
      message: expect.stringMatching(/^given\.payments\.1: .*va_0/),
    });
    const received = await account.events.list({ event: "payment.received" });
    expect(received).toMatchObject([{ data: { amount: 500 } }]);
    expect((await call(account, "GET", "/v1/balance")).status).toBe(200);
    expect(await account.control("GET", "/scenarios")).toMatchObject({ loaded: null });
  });

  test("can be due to a move, an outcome or an unresolved reference", async () => {
    const account = sandbox.account();
    await expect(load(account, { payouts: [{ paid: true, failed: true }] })).rejects.toThrow(
      /^given\.payouts\.0: po_\w+ is paid, and fail does not move a payout from paid/,
    );
    await expect(load(account, { payouts: [{ outcome: "internal_error" }] })).rejects.toThrow(
      /^given\.payouts\.0: This is the outcome internal_error/,
    );
    await expect(
      load(account, { people: [{}], payments: [{ virtual_account_id: ref("given.people.3.id") }] }),
    ).rejects.toThrow(
      /^given\.payments\.0: .*given\.people\.3\.id\} names nothing: there is 0 in given\.people/,
    );
    await expect(
      load(
        account,
        { people: [{}] },
        {
          rules: [
            { on: "verifyBvn", when: { body: { bvn: ref("given.people.0.bv") } }, outcome: "no_match" },
          ],
        },
      ),
    ).rejects.toThrow(/^rules\.0: .*there is .*bvn.* in given\.people\.0/);
  });

  test("can be due to the account's plan, as for clients", async () => {
    await expect(
      load(sandbox.account(), { account: { plan: "starter" }, channel_codes: [{}] }),
    ).rejects.toThrow(
      /^given\.channel\w*\.0: The account's plan is starter; this operation needs growth or above\./,
    );
  });

  test("is reported with its place before anything is made, if the file shows it", async () => {
    const account = sandbox.account();
    await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
    const refused = account.control("POST", "/scenarios", { name: "X", given: { paymnts: [] }, steps: [{}] });
    await expect(refused).rejects.toThrow(/^given\.paymnts: is not known here; .* steps\.0: is none of call/);
    expect(await account.inbox.list()).toHaveLength(1);
  });
});
