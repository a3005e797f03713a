/** The address in links: that of the request, the one that a trusted proxy forwards, or the public URL. */
import { describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.js";
import { freePort } from "../support/port.js";
import { send } from "../support/raw.js";
import { useListeningSandbox } from "../support/sandbox.js";

const untrusting = useListeningSandbox();
const trusting = useListeningSandbox({ trustProxy: ["loopback"], allowHosts: ["shop.example"] });

/** Returns the base URL of the links in a document of the sandbox. */
async function baseOf(url: string, headers: Record<string, string>): Promise<string> {
  const { body } = await send(url, { method: "GET", target: "/openapi.json", headers });
  return JSON.parse(body).servers[0].url;
}

const Host = "sandbox:4010";
const xForwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "shop.example" };

describe("without a trusted proxy", () => {
  test("links use the host and port of the request", async () => {
    for (const host of ["127.0.0.1:49153", "sandbox:4010", "sandbox.internal:32768", "[::1]:8080"])
      expect(await baseOf(untrusting.url, { Host: host })).toBe(`http://${host}`);
  });

  test.each([
    { ...xForwarded, Host },
    { Forwarded: "host=shop.example;proto=https", Host },
    { "X-Forwarded-Prefix": "/base", Host },
  ])("%j is ignored", async (headers) => {
    expect(await baseOf(untrusting.url, headers)).toBe(`http://${Host}`);
  });

  test("headers of an untrusted proxy are ignored", async () => {
    const own = await startSandbox({ trustProxy: ["10.0.0.0/8", "192.0.2.1"] });
    onTestFinished(() => own.close());
    expect(await baseOf(own.url, { ...xForwarded, Host })).toBe(`http://${Host}`);
  });
});

describe("behind a trusted proxy, links use the address that it forwards", () => {
  test.each<[Record<string, string>, string]>([
    [xForwarded, "https://shop.example"],
    [{ ...xForwarded, "X-Forwarded-Prefix": "/standin/" }, "https://shop.example/standin"],
    [{ ...xForwarded, "X-Forwarded-Port": "8443" }, "https://shop.example:8443"],
    [{ ...xForwarded, "X-Forwarded-Port": "443" }, "https://shop.example"],
    [{ "X-Forwarded-Host": "shop.example:8080" }, "http://shop.example:8080"],
    [{ "X-Forwarded-Proto": "https, http", "X-Forwarded-Host": "a.example, b.example" }, "https://a.example"],
    [{ "X-Forwarded-Proto": "https" }, `https://${Host}`],
    [{ Forwarded: "for=192.0.2.60;proto=https;host=shop.example" }, "https://shop.example"],
    [
      { Forwarded: 'for="[2001:db8::1]:47011";Host="shop.example:8443";PROTO=https' },
      "https://shop.example:8443",
    ],
    [{ Forwarded: 'host="a.example";proto=https, host=b.example;proto=http' }, "https://a.example"],
    [{ ...xForwarded, Forwarded: "host=first.example" }, "http://first.example"],
  ])("%j", async (headers, expected) => {
    expect(await baseOf(trusting.url, { ...headers, Host })).toBe(expected);
  });

  test.each([
    { "X-Forwarded-Proto": "javascript" },
    { "X-Forwarded-Prefix": "//evil.example" },
    { "X-Forwarded-Prefix": '/"><script>' },
    { Forwarded: "garbage" },
  ])("unless that is not a valid URL: %j", async (headers) => {
    expect(await baseOf(trusting.url, { ...headers, Host })).toBe(`http://${Host}`);
  });

  test("and an invalid host is replaced by the sandbox's own address", async () => {
    expect(await baseOf(trusting.url, { "X-Forwarded-Host": "a b", Host })).toBe(trusting.url);
  });

  test("and pages from that address may use the control API", async () => {
    const headers = { ...xForwarded, Host: "127.0.0.1", Origin: "https://shop.example" };
    const control = { method: "GET", target: "/_sandbox/account" } as const;
    expect((await send(trusting.url, { ...control, headers })).status).toBe(200);
    expect((await send(untrusting.url, { ...control, headers })).status).toBe(403);
    const foreign = { ...headers, "X-Forwarded-Host": "evil.example", Origin: "https://evil.example" };
    expect((await send(trusting.url, { ...control, headers: foreign })).status).toBe(403);
  });
});

test("pages from the public URL may use the control API, whatever Host the proxy sends", async () => {
  const port = await freePort();
  const own = await startSandbox({ publicUrl: "https://shop.example/standin", port });
  onTestFinished(() => own.close());
  const get = (Origin: string) =>
    send(`http://127.0.0.1:${port}`, {
      method: "GET",
      target: "/_sandbox/account",
      headers: { Host: "127.0.0.1", Origin },
    });
  expect((await get("https://shop.example")).status).toBe(200);
  expect((await get("http://shop.example")).status).toBe(403);
});
