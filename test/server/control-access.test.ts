/** Access to the control API and the tester's pages, and signing in with a browser. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { SandboxOptions } from "../../src/index.js";
import { startSandbox } from "../../src/index.js";
import { send } from "../support/raw.js";

const adminToken = "correct horse battery";
const guarded = ["/_sandbox/account", "/_sandbox/inbox", "/docs/values"];
const open = ["/healthz", "/openapi.json", "/v1/balance"];
const browser = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

async function start(options: SandboxOptions): Promise<string> {
  const own = await startSandbox(options);
  onTestFinished(() => own.close());
  return own.url;
}

const get = (url: string, target: string, headers: Record<string, string> = {}) =>
  send(url, { method: "GET", target, headers: { "X-Service-Key": "svc_test_access", ...headers } });

const statusesOf = (url: string, paths: readonly string[], headers?: Record<string, string>) =>
  Promise.all(paths.map(async (path) => (await get(url, path, headers)).status));

const signIn = (url: string, token: string, to = "/_sandbox/inbox", headers: Record<string, string> = {}) =>
  send(url, {
    method: "POST",
    target: "/sign-in",
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ token, to }).toString(),
  });

describe("--control", () => {
  test("open admits everyone, beyond loopback too, with or without a token", async () => {
    const url = await start({ host: "0.0.0.0", control: "open", adminToken });
    expect(await statusesOf(url, [...guarded, ...open])).toEqual(Array(6).fill(200));
    expect(await statusesOf(url, guarded, { Host: "evil.example" })).toEqual([403, 403, 403]);
    expect(await statusesOf(url, guarded, { Origin: "https://evil.example" })).toEqual([403, 403, 403]);
  });

  test("token, the default, requires a token beyond loopback, and everywhere if one is configured", async () => {
    const [loopback, beyond] = [await start({ adminToken }), await start({ host: "0.0.0.0", adminToken })];
    for (const url of [loopback, beyond]) {
      expect(await statusesOf(url, guarded)).toEqual([401, 401, 401]);
      expect(await statusesOf(url, guarded, { "X-Sandbox-Admin": adminToken })).toEqual([200, 200, 200]);
    }
    expect(await statusesOf(await start({ control: "token" }), guarded)).toEqual([200, 200, 200]);
  });

  test("off admits nobody, but still serves clients and customers", async () => {
    const url = await start({ control: "off", adminToken });
    for (const path of ["/", ...guarded]) {
      const { status, body } = await get(url, path, { "X-Sandbox-Admin": adminToken, Accept: "text/html" });
      expect([status, JSON.parse(body).error.code]).toEqual([403, "control_off"]);
    }
    expect(await statusesOf(url, open)).toEqual([200, 200, 200]);
  });
});

describe("a sandbox beyond loopback", () => {
  test("answers to names without a dot, such as those of compose services, and to no other name", async () => {
    const url = await start({ host: "0.0.0.0", adminToken, allowHosts: ["sandbox.internal"] });
    const token = { "X-Sandbox-Admin": adminToken };
    for (const Host of [
      "sandbox:4010",
      "standin",
      "SANDBOX:80",
      "172.18.0.2:4010",
      "[fd00::2]",
      "sandbox.internal",
    ])
      expect(await statusesOf(url, guarded, { ...token, Host })).toEqual([200, 200, 200]);
    for (const Host of ["sandbox.example", "sandbox.", "", "sandbox.internal.evil.example"])
      expect(await statusesOf(url, guarded, { ...token, Host })).toEqual([403, 403, 403]);
  });

  test("reports a URL that this machine can open", async () => {
    expect(await start({ host: "0.0.0.0" })).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});

describe("a browser without the token", () => {
  test("gets a sign-in page, and other clients get JSON", async () => {
    const url = await start({ adminToken });
    for (const path of guarded) {
      const page = await get(url, path, browser);
      expect(page.status).toBe(401);
      expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
      expect(page.body).toContain(`name="to" value="${path}"`);
      const json = await get(url, path, { Accept: "*/*" });
      expect([json.status, JSON.parse(json.body).error.code]).toEqual([401, "admin_token_required"]);
    }
    const asked = { method: "POST", target: "/_sandbox/reset", headers: browser, body: "" };
    expect((await send(url, asked)).headers["content-type"]).toContain("application/json");
  });

  test("signs in with the token and returns to the page that it requested", async () => {
    const url = await start({ adminToken });
    const { status, headers } = await signIn(url, adminToken, "/_sandbox/inbox?to=08031234567");
    expect([status, headers.location]).toEqual([303, "/_sandbox/inbox?to=08031234567"]);
    const cookie = headers["set-cookie"] ?? "";
    expect(cookie).toMatch(/^standin_\S+=\S+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(adminToken);
    const Cookie = `other=1; ${cookie.split(";")[0]}`;
    expect(await statusesOf(url, guarded, { ...browser, Cookie })).toEqual([200, 200, 200]);
    const elsewhere = await start({ adminToken: "another token" });
    expect(await statusesOf(elsewhere, guarded, { ...browser, Cookie })).toEqual([401, 401, 401]);
    const foreign = { Cookie, Origin: "https://evil.example" };
    expect(await statusesOf(url, guarded, foreign)).toEqual([403, 403, 403]);
  });

  test("is told that the token is wrong, and gets no cookie", async () => {
    const url = await start({ adminToken });
    for (const token of ["", "wrong", `${adminToken} `]) {
      const { status, headers, body } = await signIn(url, token);
      expect([status, headers["set-cookie"]]).toEqual([401, undefined]);
      expect(body).toContain("This is not the token that the sandbox was started with.");
    }
  });

  test.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/\r\nX: y",
  ])("is not redirected to %j", async (to) => {
    const url = await start({ adminToken });
    expect((await signIn(url, adminToken, to)).headers.location).toBe("/");
  });

  test("cannot be signed in by a page from another site", async () => {
    const url = await start({ adminToken });
    const { status, headers } = await signIn(url, adminToken, "/", { Origin: "https://evil.example" });
    expect([status, headers["set-cookie"]]).toEqual([403, undefined]);
  });

  test("is told how to start a sandbox that has no token", async () => {
    const { status, body } = await get(await start({ host: "0.0.0.0" }), "/_sandbox/inbox", browser);
    expect(status).toBe(401);
    expect(body).toContain("--admin-token");
    expect(body).not.toContain("<form");
  });

  test("gets a secure cookie for the sandbox's own path behind a proxy with TLS", async () => {
    const url = await start({ adminToken, trustProxy: ["loopback"], allowHosts: ["shop.example"] });
    const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "shop.example" };
    const { headers } = await signIn(url, adminToken, "/docs", {
      ...forwarded,
      "X-Forwarded-Prefix": "/standin",
    });
    expect(headers.location).toBe("/standin/docs");
    expect(headers["set-cookie"]).toMatch(/; Path=\/standin\/; HttpOnly; SameSite=Lax; Secure$/);
  });
});
