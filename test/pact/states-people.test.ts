import { expect, test } from "vitest";
import type { SandboxAccount } from "../../src/library/account.js";
import { call, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

type Values = Record<string, string>;
const setUp = (account: SandboxAccount, state: string, params: object = {}) =>
  account.control<Values>("POST", "/pact/states", { state, params });

const phoneStates = {
  "a pending phone verification": "pending",
  "a locked phone verification": "max_attempts_reached",
  "an expired phone verification": "expired",
  "a verified phone verification": "verified",
};
const testNumbers = ["+2348000000002", "+2348000000003", "+2348000000004", "+2348000000006"];

test.each(
  Object.entries(phoneStates).flatMap(([name, state]) =>
    testNumbers.map((phone) => [name, phone, state] as const),
  ),
)("%s of the test number %s is %s", async (name, phone, expected) => {
  const account = sandbox.account();
  const { id, code } = await setUp(account, name, { phone });
  expect(code).toMatch(/^\d{6}$/);
  expect((await account.records.get(id as string)).state).toBe(expected);
});

test.each([[undefined], ["image"], ["text"], ["video"]])(
  "a media scan of %s is in the list",
  async (media_type) => {
    const account = sandbox.account({ mode: "live" });
    const { id } = await setUp(account, "a media scan", media_type ? { media_type } : {});
    const kind = media_type ?? "text";
    const { body } = await call(account, "GET", `/v1/media-scan?media_type=${kind}`);
    expect(body).toMatchObject([{ id, media_type: kind, status: "completed" }]);
  },
);
