/** Headers that Node or an object treats specially, with odd values, in requests and in the conditions of rules. */
import { expect } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { headOf } from "../support/raw.js";
import { post } from "../support/sandbox.js";
import { watch } from "../support/wire.js";

export const ofConnection = [
  "Trailer",
  "Connection",
  "Transfer-Encoding",
  "Content-Length",
  "Expect",
  "Upgrade",
  "Keep-Alive",
  "TE",
  "Proxy-Connection",
  "Proxy-Authenticate",
  "Proxy-Authorization",
];
export const others = [
  ...[
    "Date",
    "Set-Cookie",
    "Cookie",
    "Host",
    "Location",
    "Content-Type",
    "Content-Encoding",
    "Content-Range",
  ],
  ...["Age", "Authorization", "ETag", "From", "If-Modified-Since", "If-Unmodified-Since", "Last-Modified"],
  ...[
    "Max-Forwards",
    "Referer",
    "Retry-After",
    "Server",
    "User-Agent",
    "Sec-WebSocket-Key",
    "HTTP2-Settings",
  ],
  ...["Content-Disposition", "Origin", "Vary", "__proto__", "constructor", "toString", "hasOwnProperty"],
];
export const values = ["x", "close", "chunked", "100-continue", "5", "websocket", "", "a, b"];
/** A header with a value. */
export interface HeaderCase {
  readonly name: string;
  readonly value: string;
}

export const cases: readonly HeaderCase[] = [...ofConnection, ...others].flatMap((name) =>
  values.map((value) => ({ name, value })),
);

/** Returns a quarter of the cases, with two values of each header. Four turns return all of them. */
export const partOf = (all: readonly HeaderCase[], turn: number): readonly HeaderCase[] =>
  all.filter((_, at) => (at + Math.floor(at / values.length) + turn) % 4 === 0);

export const path = "/v1/phone/verify/start";
export const body = { phone: "+2348031234567" };

/** Methods and targets of the requests. */
export const askedTargets: readonly (readonly [method: string, target: string])[] = [
  ["GET", "/v1/balance"],
  ["POST", path],
  ["GET", "/_sandbox/account"],
  ["POST", "/_sandbox/rules"],
  ["GET", "/"],
  ["GET", "/mcp"],
  ["POST", "/mcp"],
  ["TRACE", "/mcp"],
];

/** Expects an answer that is no fault of the server, or a closed connection, to a request with each header once and twice. */
export async function expectAnswers(
  url: string,
  key: string,
  [method, target]: (typeof askedTargets)[number],
  tried: readonly HeaderCase[],
): Promise<void> {
  const text = JSON.stringify(body);
  await Promise.all(
    tried.map(async ({ name, value }) => {
      const headers = { "X-Service-Key": key, "Content-Type": "application/json", Connection: "close" };
      const given = `${name}: ${value}\r\n`;
      const head = headOf({ method, target, headers, body: text }).replace(/\r\n\r\n$/, "\r\n");
      // More bytes than any announced length, so that no server waits for the rest.
      for (const extra of [given, given + given])
        expect((await watch(url, `${head}${extra}\r\n${text}${" ".repeat(60)}`)).text).not.toMatch(
          /^HTTP\/1\.1 5/,
        );
    }),
  );
}

/** Expects rules with each header as their condition to be kept, and to disturb no request. */
export async function expectConditions(account: SandboxAccount, tried: readonly HeaderCase[]): Promise<void> {
  for (const { name, value } of tried) {
    const { id } = await account.rules.add({
      on: "startPhoneVerification",
      when: { headers: { [name]: value } },
      outcome: "sms_failed",
    });
    expect((await post(account, path, body)).status).toBeLessThan(500);
    await account.rules.remove(id);
  }
}
