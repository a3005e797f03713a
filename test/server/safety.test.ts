import { describe, expect, onTestFinished, test } from "vitest";
import { type SandboxOptions, startSandbox } from "../../src/index.js";
import { freePort } from "../support/port.js";
import { send } from "../support/raw.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const controlPath = "/_sandbox/account";
/** Paths that control the sandbox or show its state to the tester. */
const guarded = [controlPath, "/_sandbox/openapi.json", "/", "/start"];
const servicePath = "/v1/balance";
/** Paths that anyone may read. */
const open = ["/healthz", "/openapi.json"];

/** Returns the status, and the error code of a refusal. */
async function get(url: string, target: string, headers: Record<string, string> = {}): Promise<string> {
  const all = { "X-Service-Key": "svc_test_safety", ...headers };
  const { status, body } = await send(url, { method: "GET", target, headers: all });
  return status < 400 ? String(status) : `${status} ${JSON.parse(body).error.code}`;
}

async function start(options: SandboxOptions): Promise<string> {
  const own = await startSandbox(options);
  onTestFinished(() => own.close());
  return own.url;
}

describe("the Host header", () => {
  test.each([
    "localhost",
    "localhost:4010",
    "127.0.0.1",
    "127.1.2.3:80",
    "[::1]:4010",
    "LOCALHOST",
    "shop.localhost",
    "api.shop.localhost:4010",
    "localhost.",
    "localhost.:4010",
  ])("%s is accepted", async (host) => {
    for (const path of guarded) expect(await get(sandbox.url, path, { Host: host })).toBe("200");
  });

  test.each([
    "evil.example",
    "evil.example:4010",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil.example:80@127.0.0.1",
    "evil-localhost",
    "10.0.0.1",
    "[fe80::1]",
    "",
  ])("%j cannot control or read the sandbox", async (host) => {
    for (const path of guarded)
      expect(await get(sandbox.url, path, { Host: host })).toBe("403 forbidden_origin");
    for (const path of open) expect(await get(sandbox.url, path, { Host: host })).toBe("200");
  });

  test.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example"])(
    "%s, which a web page can point at this machine, cannot reach operations of the service",
    async (host) => {
      expect(await get(sandbox.url, servicePath, { Host: host })).toBe("403 forbidden_origin");
    },
  );

  test.each(["127.0.0.1:4010", "sandbox:4010", "10.0.0.1", "[fe80::1]:4010"])(
    "%s can reach operations of the service",
    async (host) => {
      expect(await get(sandbox.url, servicePath, { Host: host })).toBe("200");
    },
  );

  test.each(["localhost:99999", "localhost:", "[::::]", "1.2.3.4.5", "a..b", "<script>"])(
    "%j, which cannot be part of a URL, causes no error on any page",
    async (host) => {
      for (const path of ["/", "/start", "/docs", "/docs/values", "/dashboard", "/healthz", "/v1/balance"]) {
        const { status } = await send(sandbox.url, { method: "GET", target: path, headers: { Host: host } });
        expect(status, path).toBeLessThan(500);
      }
    },
  );

  test.each([
    ["allowHosts", "http://host.docker.internal:4010/", "host.docker.internal:4010"],
    ["allowHosts", "Host.Docker.Internal:4010", "host.docker.internal"],
    ["allowHosts", "host.docker.internal.", "host.docker.internal.:80"],
    ["allowHosts", "FD00::1:2", "[fd00::1:2]:4010"],
  ])(
    "may be written with scheme, port or final dot, or as an IP address, in %s: %s",
    async (name, given, host) => {
      const url = await start({ [name]: [given] });
      expect(await get(url, controlPath, { Host: host })).toBe("200");
    },
  );

  test.each([
    ["allowHosts", "shop/path", "allowHosts must be host names such as host.docker.internal"],
    ["allowOrigins", "localhost:5173", "allowOrigins must be origins such as http://localhost:5173, or *"],
    ["allowOrigins", "http://localhost:5173/app", "allowOrigins must be origins such as"],
  ])("%s is refused at the start if it could never match: %s", async (name, given, message) => {
    await expect(startSandbox({ [name]: [given] })).rejects.toThrow(message);
  });

  test("may be a name from --allow-host or --public-url", async () => {
    const port = await freePort();
    await start({ port, allowHosts: ["Sandbox.internal"], publicUrl: "https://standin.example/base" });
    const url = `http://127.0.0.1:${port}`;
    expect(await get(url, controlPath, { Host: "sandbox.internal:8080" })).toBe("200");
    expect(await get(url, controlPath, { Host: "standin.example" })).toBe("200");
    expect(await get(url, controlPath, { Host: "other.internal" })).toBe("403 forbidden_origin");
  });
});

describe("the fetch metadata of a browser", () => {
  const from = (site: string, mode: string) => ({ "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode });

  test("an image or script embedded by another site is refused, so it cannot consume a message", async () => {
    for (const path of guarded)
      expect(await get(sandbox.url, path, from("cross-site", "no-cors"))).toBe("403 forbidden_origin");
  });

  test.each([
    ["a link on another site that a person follows", "cross-site", "navigate"],
    ["a page of the sandbox itself", "same-origin", "cors"],
    ["an address that a person types", "none", "navigate"],
  ])("%s is accepted", async (_what, site, mode) => {
    for (const path of guarded) expect(await get(sandbox.url, path, from(site, mode))).toBe("200");
  });
});

describe("the Origin header", () => {
  test("of the sandbox's own pages is accepted", async () => {
    const { host, origin } = new URL(sandbox.url);
    expect(await get(sandbox.url, controlPath, { Host: host, Origin: origin })).toBe("200");
  });

  test.each([
    "https://evil.example",
    "null",
    "http://127.0.0.1:1",
    "http://localhost:3000",
    "file://",
    "garbage",
  ])("%s cannot control the sandbox", async (origin) => {
    const { host } = new URL(sandbox.url);
    const headers = { Host: host, Origin: origin };
    for (const path of guarded) expect(await get(sandbox.url, path, headers)).toBe("403 forbidden_origin");
  });

  test("that is refused changes nothing", async () => {
    const account = sandbox.account();
    const headers = {
      "X-Service-Key": account.key,
      Origin: "https://evil.example",
      "Content-Type": "application/json",
    };
    await send(sandbox.url, { method: "PATCH", target: controlPath, headers, body: '{"balance":0}' });
    expect(await account.control("GET", "/account")).toMatchObject({ balance: 1_000_000 });
  });
});

describe("the admin token", () => {
  const adminToken = "correct horse battery";
  const token = { "X-Sandbox-Admin": adminToken };
  const wrong = ["", "wrong", "correct horse batterz", `${adminToken} `.repeat(2), "Correct horse battery"];

  test("is required wherever the sandbox can be controlled, and nowhere else", async () => {
    const url = await start({ adminToken });
    for (const path of guarded) {
      expect(await get(url, path)).toBe("401 admin_token_required");
      expect(await get(url, path, token)).toBe("200");
      for (const other of wrong)
        expect(await get(url, path, { "X-Sandbox-Admin": other })).toBe("401 admin_token_required");
    }
    for (const path of open) expect(await get(url, path)).toBe("200");
  });

  test("does not allow another host", async () => {
    const url = await start({ adminToken });
    expect(await get(url, controlPath, { ...token, Host: "evil.example" })).toBe("403 forbidden_origin");
  });

  test("is required to control a sandbox that is bound beyond loopback", async () => {
    const closed = await start({ host: "0.0.0.0" });
    for (const path of guarded) expect(await get(closed, path, token)).toBe("401 admin_token_required");
    for (const path of open) expect(await get(closed, path)).toBe("200");
    const steered = await start({ host: "0.0.0.0", adminToken });
    for (const host of ["127.0.0.1", "192.168.1.20:4010"])
      for (const path of guarded) expect(await get(steered, path, { ...token, Host: host })).toBe("200");
    expect(await get(steered, controlPath, { ...token, Host: "evil.example" })).toBe("403 forbidden_origin");
    expect(await get(steered, controlPath)).toBe("401 admin_token_required");
  });
});
