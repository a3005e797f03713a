import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { post, useSandbox } from "../../support/sandbox.js";
import {
  type Check,
  documentPath,
  far,
  locate,
  locationPath,
  near,
  seen,
  started,
  submit,
} from "./checks.js";

const sandbox = useSandbox();

interface Attempt {
  account: SandboxAccount;
  check: Check;
}

/** The two kinds of evidence for a check. */
const ways = [
  { what: "location", send: ({ account, check }: Attempt) => locate(account, check, far(check)) },
  { what: "document", send: ({ account, check }: Attempt) => submit(account, check, "otheraddress.png") },
];

async function expectRefused(
  attempt: Attempt,
  send: (attempt: Attempt) => ReturnType<typeof locate>,
  error: object,
) {
  const before = await seen(attempt.account, attempt.check);
  const { status, body } = await send(attempt);
  expect({ status, ...body.error }).toMatchObject(error);
  expect(await seen(attempt.account, attempt.check)).toEqual(before);
}

describe.each(ways)("a $what", ({ send }) => {
  test("after verified is 409 invalid_state, changes nothing and sends nothing", async () => {
    const account = sandbox.account();
    const check = await started(account);
    await locate(account, check, near(check));
    await expectRefused({ account, check }, send, { status: 409, code: "invalid_state", param: "id" });
  });

  test("is accepted until a millisecond before the 72 hours are over", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const check = await started(account);
    await account.advance("71h59m59s999ms");
    expect((await send({ account, check })).status).toBe(200);
  });

  test("after 72 hours is 410 link_expired, changes nothing and sends nothing", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const check = await started(account);
    await locate(account, check, far(check));
    await account.advance("72h");
    await expectRefused({ account, check }, send, { status: 410, code: "link_expired", param: "id" });
  });

  test("of an unknown id is 404", async () => {
    const account = sandbox.account();
    const { status, body } = await send({ account, check: { ...(await started(account)), id: "ver_0" } });
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: "resource_not_found", param: "id" });
    expect(body.error.message).toContain("POST /v1/verify/address");
  });

  test("of another account's id is 404, and does not change that account", async () => {
    const [owner, stranger] = [sandbox.account(), sandbox.account()];
    const check = await started(owner);
    const before = await seen(owner, check);
    const { status, body } = await send({ account: stranger, check });
    expect(status).toBe(404);
    expect(body.error.code).toBe("resource_not_found");
    expect(await seen(owner, check)).toEqual(before);
    expect(await stranger.events.list()).toEqual([]);
  });

  test("of another kind of verification's id is 404", async () => {
    const account = sandbox.account();
    const check = await started(account);
    const { body: bvn } = await post(account, "/v1/verify/bvn", { bvn: "22301948576" });
    expect(bvn.id).toMatch(/^ver_/);
    expect((await send({ account, check: { ...check, id: bvn.id } })).status).toBe(404);
  });
});

test.each([
  ["internal_error", 500],
  ["provider_unavailable", 503],
  ["provider_timeout", 504],
  ["rate_limited", 429],
])(
  "the outcome %s of a location and of a document changes nothing and sends nothing",
  async (outcome, status) => {
    const account = sandbox.account();
    const check = await started(account);
    const headers = { "X-Sandbox-Outcome": outcome };
    const sendLocation = () => post(account, locationPath(check.id), near(check), headers);
    await expectRefused({ account, check }, sendLocation, { status, code: outcome });
    const sendDocument = () => submit(account, check, "bill.png", { headers });
    await expectRefused({ account, check }, sendDocument, { status, code: outcome });
  },
);

test("an error outcome does not hide that the check is already verified", async () => {
  const account = sandbox.account();
  const check = await started(account);
  await locate(account, check, near(check));
  const headers = { "X-Sandbox-Outcome": "provider_unavailable" };
  expect((await post(account, locationPath(check.id), near(check), headers)).status).toBe(409);
});

test("a check that the wallet cannot pay is 402, and is not created", async () => {
  const account = sandbox.account();
  await account.update({ balance: 149.99 });
  const { status, body } = await post(account, "/v1/verify/address", {
    address: "12 Allen Avenue, Ikeja, Lagos",
    full_name: "Chioma Eze",
    country: "NG",
  });
  expect(status).toBe(402);
  expect(body.error.code).toBe("insufficient_balance");
  await account.update({ balance: 150 });
  expect((await started(account)).status).toBe("pending");
  expect((await account.update({})).balance).toBe(0);
});

test("a document is a form, not JSON", async () => {
  const account = sandbox.account();
  const { id } = await started(account);
  const { status, body } = await post(account, documentPath(id), { file: "bill.png" });
  expect(status).toBe(415);
  expect(body.error.code).toBe("unsupported_media_type");
});
