/** Hostile input, and assertions on the answers to it. */
import fc from "fast-check";
import { expect } from "vitest";
import { type ErrorCode, errors } from "../../src/contract/errors.js";
import type { AnyOperation } from "../../src/contract/operation.js";
import { errorCodesOf } from "../../src/contract/refusals.js";
import { controlOperations } from "../../src/control/index.js";
import { serviceOperations } from "../../src/service/index.js";
import type { RawReply } from "./raw.js";

/** Every operation of the service and of the control API. */
export const everyOperation = [...serviceOperations, ...controlOperations];

/** Returns nested arrays as JSON text. */
export const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

/** Hostile values of a field, as JSON text. JSON.stringify would never write many of them. */
export const hostileValues: readonly string[] = [
  ...["null", "true", "[]", "{}", "[[]]", "0", "-0", "-1", "0.1", "1e21", "1e400", "-1e400", "1e-400", "NaN"],
  ...[
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\u2028"',
    '"\\x"',
    '"\n"',
    "9".repeat(400),
  ],
  ...['"__proto__"', '"constructor"', '"0000-01-01T00:00:00+23:59"', '"9999-12-31T23:59:59Z"', '"36525d"'],
  ...['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"toJSON":1}'],
  ...[nested(60), nested(100_000), "[".repeat(100_000), `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ...[`"${"x".repeat(900_000)}"`, `[${"0,".repeat(200_000)}0]`, `[${"{},".repeat(200_000)}{}]`],
  `{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":0`).join()}}`,
];

/** Bodies that are not a JSON object, or too large. */
export const brokenBodies: readonly (string | Uint8Array)[] = [
  ...["{", "{}{}", "[]", "null", '"x"', "1", '{"a":}', "\ufeff{}", "{'a':1}", "\0", "--x", nested(100_000)],
  ...[`{"a":"${"x".repeat(1_100_000)}"}`, '{"__proto__":{"polluted":1},"constructor":1,"":1,"a":1,"a":2}'],
  ...[Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), Buffer.from("{}", "utf16le"), new Uint8Array(5_000)],
];

export const contentTypes: readonly string[] = [
  ...["", ";", "*/*", "text/plain", "application/json, text/html", "application/jsonp", "\u00e9"],
  ...["multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=x"],
];

/** Any characters, including lone surrogates. The generator of fast-check builds a table of all of them first, which takes seconds. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.nat(0x10ffff), { maxLength: 10 })
  .map((points) => String.fromCodePoint(...points));

/** Texts for paths and queries, some of which cannot be decoded. */
export const hostileTexts: readonly string[] = [
  ...[
    "%",
    "%ff",
    "%zz",
    "%00",
    "%ed%a0%80",
    "%2e%2e",
    "..",
    "%2f",
    "__proto__",
    "constructor",
    "+",
    "[]",
    "&=",
  ],
  ...["1e400", "-1", "9".repeat(400), "a".repeat(4_000), "%F0%9F%98%80"],
];

/** Expects success, or a refusal in the documented format with a code that the operation declares. */
export function expectHeldUp(reply: RawReply, operation: AnyOperation): void {
  if (reply.status >= 400) expectRefusal(reply, [...errorCodesOf(operation), "route_not_found"]);
}

/** Expects a refusal in the documented format with one of these codes, and no internal error. */
export function expectRefusal({ status, headers, body }: RawReply, codes: readonly ErrorCode[]): void {
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  const { error } = JSON.parse(body);
  const fields = ["type", "code", "message", "param", "details", "request_id"];
  expect(Object.keys(error)).toEqual(expect.arrayContaining(fields));
  expect(error.request_id).toBe(headers["x-request-id"]);
  expect(codes).toContain(error.code);
  expect(status).toBe(errors[error.code as ErrorCode].status);
  expect(status).toBeLessThan(500);
  expect(body.length).toBeLessThan(50_000);
}
