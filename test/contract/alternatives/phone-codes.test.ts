import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { post, type Reply, useSandbox } from "../../support/sandbox.js";
import { named } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const check = named("checkPhoneVerification");

const plain = useSandbox();

/** Sends a code and returns a function that checks it. */
async function started(account: SandboxAccount, phone = "+2348031234567") {
  const { id } = (await post(account, "/v1/phone/verify/start", { phone })).body;
  const { codes } = await account.inbox.wait({ to: phone });
  const right = codes[0] as string;
  const wrong = right.replace(/^./, (digit) => (digit === "1" ? "2" : "1"));
  const tryCode = (code: string): Promise<Reply> => post(account, "/v1/phone/verify/check", { id, code });
  return { right, wrong, tryCode };
}

describe("phone.states=failed", () => {
  const sandbox = useAlternative("phone.states", "failed");
  const contract = useContract(sandbox);

  test("a verification that expired or was locked is failed, and the contract says so", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const late = await started(account);
    await account.advance("10m");
    const locked = await started(account, "+2348031230002");
    for (let tries = 0; tries < 4; tries++)
      expect((await locked.tryCode(locked.wrong)).body.status).toBe("pending");
    for (const reply of [await late.tryCode(late.right), await locked.tryCode(locked.wrong)]) {
      expect(reply).toMatchObject({ status: 200, body: { status: "failed", verified: false } });
      contract().expectDescribes(check, reply);
    }
    const verified = await started(account, "+2348031230003");
    expect((await verified.tryCode(verified.right)).body.status).toBe("verified");
  });
});

describe("phone.ended=refused", () => {
  const sandbox = useAlternative("phone.ended", "refused");
  const contract = useContract(sandbox);

  test("five wrong codes get a reply, and the sixth check is refused whether its code is right or wrong", async () => {
    const { right, wrong, tryCode } = await started(sandbox.account());
    const statuses = [];
    for (let tries = 0; tries < 5; tries++) {
      const { status, body } = await tryCode(wrong);
      expect([status, body.verified]).toEqual([200, false]);
      statuses.push(body.status);
    }
    expect(statuses).toEqual([...Array(4).fill("pending"), "max_attempts_reached"]);
    for (const code of [right, wrong])
      expect(await tryCode(code)).toMatchObject({
        status: 429,
        body: { error: { code: "too_many_attempts" } },
      });
  });

  test("a code is accepted until it expires, and every later check is refused", async () => {
    const account = sandbox.account();
    await account.clock.freeze();
    const { right, wrong, tryCode } = await started(account);
    await account.advance("599999ms");
    expect((await tryCode(wrong)).status).toBe(200);
    await account.advance("1ms");
    for (const code of [right, wrong, right])
      expect(await tryCode(code)).toMatchObject({ status: 410, body: { error: { code: "code_expired" } } });
  });

  test("the right code verifies", async () => {
    const { right, tryCode } = await started(sandbox.account());
    expect(await tryCode(right)).toMatchObject({ status: 200, body: { status: "verified", verified: true } });
  });

  test("the contract of the check has both errors", async () => {
    expect(contract().codes(check, 410)).toEqual(["code_expired"]);
    expect(contract().codes(check, 429)).toContain("too_many_attempts");
  });
});

describe("phone.ended=answered, the default", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test("a check of an ended id gets the status that names the reason, and the contract has neither error", async () => {
    const { right, tryCode } = await started(sandbox.account(), "+2348000000003");
    expect(await tryCode(right)).toMatchObject({ status: 200, body: { status: "expired", verified: false } });
    expect(contract().statuses(check)).not.toContain(410);
    expect(contract().codes(check, 429)).not.toContain("too_many_attempts");
  });
});

describe("phone.code_reuse=again", () => {
  const sandbox = useAlternative("phone.code_reuse", "again");

  test("the same code is still right on a verified id, any other is not, and the id stays verified", async () => {
    const { right, wrong, tryCode } = await started(sandbox.account());
    const seen = [];
    for (const code of [right, right, wrong]) {
      const { status, body } = await tryCode(code);
      seen.push([status, body.status, body.verified]);
    }
    expect(seen).toEqual([
      [200, "verified", true],
      [200, "verified", true],
      [200, "verified", false],
    ]);
  });
});

describe("phone.second_code=replaced", () => {
  const sandbox = useAlternative("phone.second_code", "replaced");

  test("a new code ends the pending verifications of its number alone", async () => {
    const account = sandbox.account();
    const first = await started(account);
    const other = await started(account, "+2348095551234");
    const second = await started(account);
    expect((await first.tryCode(first.right)).body).toMatchObject({ verified: false, status: "expired" });
    expect((await other.tryCode(other.right)).body.verified).toBe(true);
    expect((await second.tryCode(second.right)).body.verified).toBe(true);
  });
});

test("phone.second_code=both, the default: each code verifies its own id", async () => {
  const account = plain.account();
  const first = await started(account);
  const second = await started(account);
  expect((await second.tryCode(second.right)).body.verified).toBe(true);
  expect((await first.tryCode(first.right)).body.verified).toBe(true);
});
