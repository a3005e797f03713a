import { describe, expect, test } from "vitest";
import { type Reply, useSandbox } from "../../support/sandbox.js";
import { type CheckId, checkIds, checks, costOf, lookupIds, modes, send, storedChecks } from "./checks.js";

const sandbox = useSandbox();

const codes: Record<string, string> = {
  bvn: "invalid_bvn",
  nin: "invalid_nin",
  licence_number: "invalid_licence_number",
  account_number: "invalid_account_number",
  bank_code: "invalid_bank_code",
};

/** Malformed values of each number, with the code of their refusal. */
const wrong: Record<string, readonly string[]> = {
  bvn: [
    "",
    " ",
    "2222222222",
    "222222222222",
    "2230194857a",
    "22301 948576",
    "２２３０１９４８５７６",
    "22301948576\n",
  ],
  nin: ["", "3540281769", "354028176940", "NIN35402817", "35402817-94", "+3540281769", "3.540281e10"],
  licence_number: [
    "",
    "LSR",
    "LSR48213AA05LSR482130",
    "LSR--48213AA05",
    "LSR  48213AA05",
    "LSR48213AA05-",
    " LSR48213AA05",
    "LSR48213ÀÀ05",
  ],
  account_number: ["", "014372816", "01437281690", "014372816a", "0143-728169", "0143728169 "],
  bank_code: ["", "58", "0058", "0000058", "GTB", "05 8", "058\u0000"],
};

const numberFields = lookupIds.flatMap((id) => {
  const check = checks[id];
  const fields = "body" in check ? Object.keys(check.body) : [];
  return fields.filter((field) => field !== "phone_number").map((field) => ({ id, field }));
});

const refused = (code: string, param: string) => ({ status: 400, body: { error: { code, param } } });

async function expectFree(id: CheckId, change: object, shape: object): Promise<void> {
  const account = sandbox.account();
  const { reply, cost } = await costOf(account, () => send(account, id, { ...change }));
  expect(reply).toMatchObject(shape);
  expect(cost).toBe(0);
  expect(await storedChecks(account)).toEqual([]);
}

describe.each(numberFields)("$field of $id", ({ id, field }) => {
  test.each(wrong[field] as readonly string[])("is refused as %j with its own code", async (text) => {
    await expectFree(id, { [field]: text }, refused(codes[field] as string, field));
  });

  test("is required", async () => {
    await expectFree(id, { [field]: undefined }, refused("missing_field", field));
  });

  test.each([null, 22301948576, true, ["22301948576"], { value: "22301948576" }])(
    "is refused as %j, which is not a string",
    async (value) => {
      await expectFree(id, { [field]: value }, refused("validation_error", field));
    },
  );
});

test("all errors are reported at once", async () => {
  const change = { bvn: "1", account_number: "2", bank_code: "3" };
  const { body } = await send(sandbox.account(), "verifyBvnAccountMatch", change);
  const details = body.error.details.map(({ param, code }: { param: string; code: string }) => [param, code]);
  expect(details).toHaveLength(3);
  expect(Object.fromEntries(details)).toEqual({
    bvn: "invalid_bvn",
    account_number: "invalid_account_number",
    bank_code: "invalid_bank_code",
  });
});

test.each(["LSR48213AA05", "lsr48213aa05", "LSR-48213AA05", "LSR 48213AA05", "Lsr 48213aA05"])(
  "the licence %s is Adaeze's",
  async (licence_number) => {
    const { body, headers } = await send(sandbox.account(), "verifyFrsc", { licence_number });
    expect(headers.get("X-Sandbox-Outcome")).toBe("match; by=people");
    expect(body.data.expiry_date).toBe("2031-03-14");
  },
);

test.each(["AB48213AA05", "LSR4821", "123456789012", "LSR/482-13AA05"])(
  "the licence number %s has a form in use",
  async (licence_number) => {
    const { status, body } = await send(sandbox.account(), "verifyFrsc", { licence_number });
    expect([status, body.status]).toEqual([200, "success"]);
  },
);

test.each(["abc-000000001", "abc 000000001", "Abc000000001"])(
  "the test value %s is one in every notation",
  async (licence_number) => {
    const { headers } = await send(sandbox.account(), "verifyFrsc", { licence_number });
    expect(headers.get("X-Sandbox-Outcome")).toBe("not_found; by=test-value");
  },
);

describe("date_of_birth", () => {
  test.each([
    "2026-02-30",
    "2025-02-29",
    "1990-13-01",
    "1990-4-12",
    "12-04-1990",
    "1990/04/12",
    "",
    "yesterday",
    "1990-04-12T00:00:00Z",
    "99990-01-01",
  ])("is refused as %j", async (date_of_birth) => {
    await expectFree("verifyBvn", { date_of_birth }, refused("validation_error", "date_of_birth"));
  });

  test("may be today on the account's clock, and is refused after it", async () => {
    const account = sandbox.account();
    await account.clock.freeze("2030-06-01T23:59:59Z");
    expect((await send(account, "verifyBvn", { date_of_birth: "2030-06-01" })).status).toBe(200);
    const { status, body } = await send(account, "verifyBvn", { date_of_birth: "2030-06-02" });
    expect([status, body.error.param]).toEqual([400, "date_of_birth"]);
    expect(body.error.message).toBe("date_of_birth must not be after today, 2030-06-01; got 2030-06-02.");
  });

  test.each([19900412, {}])("is refused as %j, which is not a string", async (date_of_birth) => {
    await expectFree("verifyBvn", { date_of_birth }, refused("validation_error", "date_of_birth"));
  });

  test.each(["17.04.1990", "1990-4-17", "1990/04/17"])(
    "is refused as %s, with the right form",
    async (date) => {
      const { body } = await send(sandbox.account(), "verifyBvn", { date_of_birth: date });
      expect(body.error).toMatchObject({ code: "validation_error", param: "date_of_birth" });
      expect(body.error.message).toBe(
        `date_of_birth must be a date of the form YYYY-MM-DD, such as 1990-04-17; "${date}" is not.`,
      );
    },
  );

  test("may be a leap day", async () => {
    const { body } = await send(sandbox.account(), "verifyBvn", { date_of_birth: "1988-02-29" });
    expect(body.data.date_of_birth).toBe("1988-02-29");
  });
});

const named: CheckId[] = ["verifyBvn", "verifyNin", "verifyFrsc"];
const known = { bvn: "22301948576", nin: "35402817694", licence_number: "LSR48213AA05" };
const odd: [what: string, name: string][] = [
  ["nothing", ""],
  ["a blank", " "],
  ["10 kB", "Ada ".repeat(2_500)],
  ["10 kB without a space", "x".repeat(10_000)],
  ["emoji", "👩🏾‍💻🙂"],
  ["control characters", "\u0000\u0007\u001b[31m\r\n"],
  ["right-to-left marks", "\u202eadaeze\u202c"],
  ["half a surrogate pair", "\ud83d"],
  ["10 kB of combining marks", "a".concat("\u0301".repeat(10_000))],
  ["Chinese", "阿达"],
  ["a key of every object", "__proto__"],
  ["a script", "<script>alert(1)</script>"],
];

describe.each(named)("names in %s", (id) => {
  test.each(odd)("of %s are accepted, and the reply matches its schema", async (_what, name) => {
    const names = { first_name: name, last_name: name };
    for (const change of [names, { ...known, ...names }, { first_name: name }, { last_name: name }]) {
      const { status, body } = await send(sandbox.account(), id, { ...change });
      expect(status).toBe(200);
      expect(body.status).toBe("success");
    }
  });

  test.each([5, true, ["Ada"], { first: "Ada" }])("are refused as %j", async (name) => {
    await expectFree(id, { first_name: name }, refused("validation_error", "first_name"));
    await expectFree(id, { last_name: name }, refused("validation_error", "last_name"));
  });
});

/** Fields that only other operations accept. */
const extras = {
  date_of_birth: 12,
  first_name: { a: 1 },
  last_name: null,
  nin: 5,
  bvn: false,
  bank_code: [],
  colour: "red",
  constructor: 1,
};

describe.each(modes)("fields that are unknown, on a %s key", (mode) => {
  const own: Partial<Record<CheckId, string[]>> = {
    verifyBvn: ["bvn", "first_name", "last_name", "date_of_birth"],
    verifyNin: ["nin", "first_name", "last_name"],
    verifyFrsc: ["first_name", "last_name"],
    verifyBankAccount: ["bank_code"],
    verifyBvnAccountMatch: ["bank_code", "bvn"],
  };

  test.each(lookupIds)("change nothing in %s", async (id) => {
    const more = Object.fromEntries(Object.entries(extras).filter(([name]) => !own[id]?.includes(name)));
    expect(Object.keys(more).length).toBeGreaterThan(3);
    const plain: Reply = await send(sandbox.account({ mode }), id);
    const { status, body } = await send(sandbox.account({ mode }), id, more);
    expect(status).toBe(200);
    expect({ ...body, id: "" }).toEqual({ ...plain.body, id: "" });
  });

  test("a birth date is not a field of NIN and licence checks and does not affect the score", async () => {
    for (const id of ["verifyNin", "verifyFrsc"] as const) {
      const change = { ...known, date_of_birth: "2001-01-01" };
      expect((await send(sandbox.account({ mode }), id, change)).body.confidence_score).toBe(100);
    }
  });
});

test.each(checkIds)("%s without a body reports the missing fields", async (id) => {
  const response = await sandbox.account().fetch(checks[id].path, { method: "POST" });
  const { error } = (await response.json()) as { error: { code: string } };
  const ofForm = { status: 415, code: "unsupported_media_type" };
  const ofJson = { status: 400, code: "missing_field" };
  expect({ status: response.status, code: error.code }).toEqual(lookupIds.includes(id) ? ofJson : ofForm);
});
