import { expect, test } from "vitest";
import { nested } from "../support/hostile.js";
import { send } from "../support/raw.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const megabyte = 1024 * 1024;
const phone = '"phone":"08031234567"';

/** Returns a valid body of exactly `bytes` bytes. */
const bodyOf = (bytes: number): string => `{${phone},"x":"${"x".repeat(bytes - phone.length - 9)}"}`;

/** Starts a phone verification with this body and returns the status and any error code. */
async function start(body: string | Uint8Array, type = "application/json"): Promise<string> {
  const headers = { "X-Service-Key": sandbox.account().key, "Content-Type": type };
  const target = "/v1/phone/verify/start";
  const reply = await send(sandbox.url, { method: "POST", target, headers, body });
  const { error } = JSON.parse(reply.body);
  return error ? `${reply.status} ${error.code}` : String(reply.status);
}

test.each([
  ["has the maximum size", bodyOf(megabyte)],
  ["nests 64 levels", `{${phone},"x":${nested(63)}}`],
  ["has brackets and quotes in its strings", `{${phone},"x":"${'[{\\"'.repeat(100)}"}`],
  ["has an unknown field", `{${phone},"__proto__":{"template":"x"},"constructor":1}`],
  ["has a duplicate field, the last of which counts", `{"phone":1,${phone}}`],
])("a body is accepted that %s", async (_what, body) => {
  expect(await start(body)).toBe("201");
});

test.each([
  "application/json;charset=utf-8",
  'application/json; charset="utf-8"',
  "application/json; charset=utf8",
  'application/json; profile="a;charset=latin1"',
  "APPLICATION/JSON",
  "application/vnd.api+json",
])("the content type %s is JSON", async (type) => {
  expect(await start(`{${phone}}`, type)).toBe("201");
});

test.each([
  "text/plain",
  "application/jsonx",
  "application/json; charset=latin1",
  'application/json; charset="utf-16"',
  "json",
])("the content type %s is refused", async (type) => {
  expect(await start(`{${phone}}`, type)).toBe("415 unsupported_media_type");
});

test.each<[string, string | Uint8Array]>([
  ["is truncated", "{"],
  ["nests 65 levels", `{${phone},"x":${nested(64)}}`],
  ["nests 100,000 levels", `{${phone},"x":${nested(100_000)}}`],
  ["is not UTF-8", Buffer.from(`{${phone},"reference":"caf\u00e9"}`, "latin1")],
  ["is UTF-16", Buffer.from(`{${phone}}`, "utf16le")],
  ["begins with a byte order mark", `\ufeff{${phone}}`],
  ["ends twice", `{${phone}}}`],
])("a body is refused as malformed JSON that %s", async (_what, body) => {
  expect(await start(body)).toBe("400 malformed_json");
});

test.each([
  ["an array", "[]"],
  ["null", "null"],
  ["a text", '"08031234567"'],
  ["an object with a number that cannot be serialized again", `{${phone},"reference":"1","x":1e400}`],
  ["an object with an integer of 400 digits", `{${phone},"x":[12,${"9".repeat(400)}]}`],
])("a body is refused if it is %s", async (_what, body) => {
  expect(await start(body)).toBe("400 validation_error");
});

test("a refusal names every problem of a body of usual length, and the first problem of a long one", async () => {
  const problems = async (padding: string) => {
    const headers = { "X-Service-Key": sandbox.account().key, "Content-Type": "application/json" };
    const body = `{"first_name":1,"last_name":2,"address":"${padding}"}`;
    const reply = await send(sandbox.url, { method: "POST", target: "/_sandbox/people", headers, body });
    return JSON.parse(reply.body).error.details.map((detail: { param: string }) => detail.param);
  };
  expect(await problems("x".repeat(1_000))).toEqual(["first_name", "last_name", "address"]);
  expect(await problems("x".repeat(200_000))).toEqual(["first_name"]);
});

test("a body with long runs of digits takes about as long as one with runs of letters", async () => {
  const bodyOfRuns = (character: string) => `{${phone},"x":"${`${character.repeat(299)} `.repeat(3_400)}"}`;
  const shortest = { "1": Number.POSITIVE_INFINITY, a: Number.POSITIVE_INFINITY };
  for (let i = 0; i < 5; i++) {
    for (const character of ["1", "a"] as const) {
      const body = bodyOfRuns(character);
      const started = performance.now();
      expect(await start(body)).toBe("201");
      shortest[character] = Math.min(shortest[character], performance.now() - started);
    }
  }
  expect(shortest["1"]).toBeLessThan(4 * shortest.a);
});

test("an empty body is refused with the missing fields, and one that is a byte too large with the limit", async () => {
  expect(await start("")).toBe("400 missing_field");
  expect(await start(bodyOf(megabyte + 1))).toBe("413 body_too_large");
});
