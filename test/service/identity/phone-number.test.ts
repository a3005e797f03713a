import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { costOf, send, storedChecks, unknown } from "./checks.js";

const sandbox = useSandbox();
const { bvn } = unknown;
const without = { phone_number: undefined };

describe("a BVN check on a live key", () => {
  test("without phone_number is refused, costs nothing and leaves no record", async () => {
    const account = sandbox.account({ mode: "live" });
    const { reply, cost } = await costOf(account, () => send(account, "verifyBvn", { bvn, ...without }));
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code: "phone_number_required", param: "phone_number" });
    expect(cost).toBe(0);
    expect(await storedChecks(account)).toEqual([]);
  });

  test("a phone_number of null counts as missing", async () => {
    const { status, body } = await send(sandbox.account({ mode: "live" }), "verifyBvn", {
      phone_number: null,
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "phone_number_required", param: "phone_number" });
  });

  test.each(["22222222220", "22222222223", "22301948576"])(
    "without phone_number is refused for %s too: it comes before outcomes and people",
    async (value) => {
      const account = sandbox.account({ mode: "live" });
      const { body } = await send(account, "verifyBvn", { bvn: value, ...without });
      expect(body.error.code).toBe("phone_number_required");
    },
  );

  test.each(["", " ", "nonsense", "12345", "8031234567", "2348031234567", "+234803", "+999123456789", "0🙂"])(
    "with %j for a phone_number is refused with invalid_phone",
    async (phone_number) => {
      const account = sandbox.account({ mode: "live" });
      const { status, body } = await send(account, "verifyBvn", { phone_number });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: "invalid_phone", param: "phone_number" });
    },
  );

  test.each(["08031234567", "+2348031234567", "0803 123-4567", "+2348000000001", "+447911123456"])(
    "takes the phone_number %s",
    async (phone_number) => {
      const account = sandbox.account({ mode: "live" });
      expect((await send(account, "verifyBvn", { phone_number })).status).toBe(200);
    },
  );

  test("a malformed BVN is reported first", async () => {
    const account = sandbox.account({ mode: "live" });
    const { body } = await send(account, "verifyBvn", { bvn: "123", ...without });
    expect(body.error.code).toBe("invalid_bvn");
  });

  test("the submitted phone number does not affect the person found", async () => {
    const account = sandbox.account({ mode: "live" });
    const { body } = await send(account, "verifyBvn", { bvn: "22301948576", phone_number: "08052217743" });
    expect(body).toMatchObject({ match: true, data: { phone_number: "+2348031234567" } });
  });
});

describe("a BVN check on a test key", () => {
  test.each([undefined, null, 123, true, {}, ["x"], "", "nonsense", "🙂".repeat(50), "22301948576", "+999"])(
    "ignores %j for a phone_number",
    async (phone_number) => {
      const { status, body } = await send(sandbox.account(), "verifyBvn", { phone_number });
      expect(status).toBe(200);
      const right = await send(sandbox.account(), "verifyBvn");
      expect(body.data).toEqual(right.body.data);
    },
  );
});

test.each(["verifyNin", "verifyFrsc", "verifyBankAccount", "verifyBvnAccountMatch"] as const)(
  "%s needs no phone_number on a live key",
  async (id) => {
    expect((await send(sandbox.account({ mode: "live" }), id)).status).toBe(200);
  },
);
