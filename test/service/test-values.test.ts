import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { testValues } from "../../src/service/test-values.js";
import { post, type Reply, useSandbox } from "../support/sandbox.js";
import { type CheckId, checks, costOf, modes, send, sendFiles } from "./identity/checks.js";
import { expected, seen } from "./identity/expected.js";

const sandbox = useSandbox();

/** Outcome selected by the last digit of a number. */
const digits = [
  "match",
  "not_found",
  "match",
  "provider_unavailable",
  "match",
  "partial_match",
  "no_match",
  "provider_timeout",
  "rate_limited",
  "internal_error",
];
const numbers: [where: string, prefix: string, operations: string[]][] = [
  ["bvn", "2222222222", ["verifyBvn", "verifyBvnAccountMatch"]],
  ["nin", "7000000000", ["verifyNin"]],
  ["licence", "ABC00000000", ["verifyFrsc"]],
  ["account number", "000000000", ["verifyBankAccount", "verifyBvnAccountMatch"]],
];
const words: [where: string, word: string, operations: string[], outcome: string][] = [
  ["address", "Nowhere", ["verifyAddress"], "not_found"],
  ["address", "Somewhere", ["verifyAddress"], "town_only"],
  ["file name", "blurry", ["verifyDocument"], "unreadable"],
  ["file name", "expired", ["verifyDocument"], "expired"],
  ["file name", "spoof", ["verifyLiveness"], "spoof"],
  ["file name", "nomatch", ["verifyFaceMatch"], "no_match"],
  ["file name", "otheraddress", ["submitAddressDocument"], "address_mismatch"],
  ["file name", "othername", ["submitAddressDocument"], "name_mismatch"],
  ...(["provider_down", "timeout"] as const).map((word): [string, string, string[], string] => [
    "file name",
    word,
    ["verifyDocument", "verifyLiveness", "verifyFaceMatch", "submitAddressDocument"],
    word === "timeout" ? "provider_timeout" : "provider_unavailable",
  ]),
];

interface Row {
  where: string;
  value: string;
  operation: string;
  outcome: string;
}
const designed: Row[] = [
  ...numbers.flatMap(([where, prefix, operations]) =>
    digits.flatMap((outcome, digit) =>
      operations.map((operation) => ({ where, value: `${prefix}${digit}`, operation, outcome })),
    ),
  ),
  ...words.flatMap(([where, value, operations, outcome]) =>
    operations.map((operation) => ({ where, value, operation, outcome })),
  ),
];

const operations = new Set([...Object.keys(checks), "verifyAddress", "submitAddressDocument"]);
const rows: Row[] = testValues.flatMap(({ where, value, operations: of, outcome }) =>
  of.filter((id) => operations.has(id)).map((operation) => ({ where, value, operation, outcome })),
);

test("the fixture has exactly the documented values for these ten operations", () => {
  const said = (list: Row[]) =>
    list.map(({ where, value, operation, outcome }) => `${operation}: ${where} ${value} ${outcome}`).sort();
  expect(said(rows)).toEqual(said(designed));
});

test("each of the ten operations has a value", () => {
  expect(new Set(rows.map(({ operation }) => operation))).toEqual(operations);
});

/** Field that holds the value; in a face match it may be in either file name. */
const fields: Record<string, readonly string[]> = {
  bvn: ["bvn"],
  nin: ["nin"],
  licence: ["licence_number"],
  "account number": ["account_number"],
};
const cases = rows
  .filter(({ operation }) => operation in checks)
  .flatMap((row) => {
    const { price, ...input } = checks[row.operation as CheckId];
    const places = "files" in input ? input.files : fields[row.where];
    if (!places) throw new Error(`${row.operation} has no field for ${row.where}`);
    return places.map((field) => ({ ...row, field, price }));
  });

describe.each(modes)("on a %s key", (mode) => {
  test.each(cases)("$operation: $value in $field is $outcome", async (row) => {
    const { operation, field, value, outcome, price } = row;
    const account = sandbox.account({ mode });
    const content = row.where === "file name" ? `my-${value}-photo.png` : value;
    const { reply, cost } = await costOf(account, () =>
      send(account, operation as CheckId, { [field]: content }),
    );
    expect(seen(reply)).toEqual(expected[operation as CheckId][outcome]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=test-value`);
    expect(cost).toBe(reply.status < 300 ? price : 0);
  });
});

const startAddress = (account: SandboxAccount, address: string): Promise<Reply> =>
  post(account, "/v1/verify/address", { address, full_name: "Ada Obi", country: "NG" });

/** Status, error code, state of the check, its points, and the points of the part that the value affects. */
const addressRows: Record<string, Record<string, unknown>> = {
  not_found: { status: 201, result: "pending", match: null, score: 0, exists: 0 },
  town_only: { status: 201, result: "pending", match: null, score: 15, exists: 15 },
  address_mismatch: { status: 200, result: "review", score: 40, document: 0, name_match: true },
  name_mismatch: { status: 200, result: "review", score: 50, document: 10, name_match: false },
  provider_unavailable: { status: 503, code: "provider_unavailable" },
  provider_timeout: { status: 504, code: "provider_timeout" },
};

function seenOfAddress({ status, body }: Reply): Record<string, unknown> {
  if (status >= 400) return { status, code: body.error.code };
  const { address_exists, document } = body.checks;
  const result = { status, result: body.status, score: body.confidence_score };
  if (address_exists) return { ...result, match: body.match, exists: address_exists.points };
  return { ...result, document: document.points, name_match: document.name_match };
}

const addressCases = rows.filter(({ operation }) => !(operation in checks));

describe.each(modes)("address checks on a %s key", (mode) => {
  test.each(addressCases)("$operation: $value is $outcome", async ({ operation, value, outcome }) => {
    const account = sandbox.account({ mode });
    const ofAddress = operation === "verifyAddress";
    const whole = "12 Allen Avenue, Ikeja, Lagos";
    const { id } = ofAddress ? { id: "" } : (await startAddress(account, whole)).body;
    const { reply, cost } = await costOf(account, () =>
      ofAddress
        ? startAddress(account, `12 ${value} Avenue, Ikeja, Lagos`)
        : sendFiles(account, `/v1/verify/address/${id}/document`, { file: `${value}.png` }),
    );
    expect(seenOfAddress(reply)).toEqual(addressRows[outcome]);
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=test-value`);
    expect(cost).toBe(ofAddress ? 150 : 0);
  });
});
