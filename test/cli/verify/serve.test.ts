import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { providerStates } from "../../../src/pact/provider-states/provider-states.js";
import { key } from "../../pact/verify/pacts.js";
import { programFile } from "../../support/program.js";
import { converse, headOf } from "../../support/raw.js";
import { until } from "../../support/until.js";
import { watch } from "../../support/wire.js";
import { verify } from "./run-verify.js";

describe("standin verify --states", () => {
  test("lists the provider states with their parameters and values", async () => {
    const { code, stdout } = await verify(["--states"]);
    expect(code).toBe(0);
    const [headings, ...rows] = stdout.trimEnd().split("\n");
    expect(headings).toMatch(/^state +parameters +values +description$/);
    expect(rows).toHaveLength(providerStates.length);
    expect(rows).toContainEqual(
      expect.stringMatching(/^a held payment +amount +payment_id, virtual_account_id, amount +A /),
    );
  });

  test("--json prints the parameters as JSON Schema", async () => {
    const { items } = JSON.parse((await verify(["--states", "--json"])).stdout);
    expect(items).toContainEqual(
      expect.objectContaining({
        name: "a plan",
        params: expect.objectContaining({
          properties: { plan: { enum: ["starter", "growth", "business"] } },
        }),
      }),
    );
  });
});

describe("standin verify --serve", () => {
  async function serve() {
    const child = spawn(process.execPath, [programFile, "verify", "--serve", "--json"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = await once(child.stdout, "data");
    const { url, state_change_url: states } = JSON.parse(String(line));
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    return { child, url, states, stderr: () => stderr };
  }
  const postJson = (url: string, body: object) =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });

  test("lives on whatever headers a request has, and on clients that hang up", async () => {
    const { child, url } = await serve();
    const names = [
      "Trailer",
      "Expect",
      "Upgrade",
      "Connection",
      "TE",
      "Keep-Alive",
      "Proxy-Connection",
      "__proto__",
    ];
    for (const name of names)
      for (const value of ["x", "100-continue", "close", "trailers"])
        for (const method of ["GET", "POST"]) {
          const headers = { "X-Service-Key": "svc_test_shop", [name]: value, Connection: "close" };
          if (name === "Connection") headers.Connection = `close, ${value}`;
          const head = headOf({
            method,
            target: "/v1/balance",
            headers,
            ...(method === "POST" ? { body: "{}" } : {}),
          });
          expect((await watch(url, `${head}${method === "POST" ? "{}" : ""}`)).text).toMatch(
            /^(?:HTTP\/1\.1 |$)/,
          );
        }
    for (const cut of [
      "POST /v1/balance HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{",
      "GET /v1/bal",
      "\0\r\n\r\n",
    ]) {
      const conversation = converse(url);
      await conversation.write(cut);
      await conversation.hangUp();
    }
    expect((await fetch(`${url}/v1/balance`, { headers: key })).status).toBe(200);
    expect(child.exitCode).toBe(null);
  });

  test("a verifier without teardown gets a new account after each response", async () => {
    const { url, states } = await serve();
    const balance = async (wanted: number) => {
      await postJson(states, { action: "setup", state: "a wallet balance", params: { balance: wanted } });
      return ((await (await fetch(`${url}/v1/balance`, { headers: key })).json()) as { balance: number })
        .balance;
    };
    expect([await balance(7), await balance(8)]).toEqual([7, 8]);
  });

  test("a state that cannot be set up is reported, and the next request fails", async () => {
    const { url, states, stderr } = await serve();
    await postJson(states, { action: "setup", state: "a walet balance" });
    await postJson(states, { action: "setup", state: "an empty wallet" });
    expect(stderr()).toMatch(/^standin: .*"a walet balance"; the nearest/);
    const failed = await fetch(`${url}/v1/balance`, { headers: key });
    expect([failed.status, await failed.json()]).toEqual([
      999,
      { error: expect.stringContaining('"a wallet balance"') },
    ]);
    expect((await fetch(`${url}/v1/balance`, { headers: key })).status).toBe(200);
  });

  test("a live key, which comes after its states, gets a live account in these states", async () => {
    const { url, states, stderr } = await serve();
    const headers = { "X-Service-Key": "svc_live_shop", "Content-Type": "application/json" };
    const change = { action: "setup", state: "a pending phone verification" };
    await postJson(states, { action: "setup", state: "a wallet balance", params: { balance: 42 } });
    expect(await (await fetch(`${url}/v1/balance`, { headers })).json()).toMatchObject({ balance: 42 });
    const known = (await (await postJson(states, change)).json()) as { id: string; code: string };
    const check = { method: "POST", headers, body: JSON.stringify(known) };
    const checked = await (await fetch(`${url}/v1/phone/verify/check`, check)).json();
    expect(checked).toMatchObject({ status: "verified", verified: true });
    await postJson(states, { action: "setup", state: "a virtual account" });
    const { status } = await fetch(`${url}/v1/business/test/simulate-payment`, {
      method: "POST",
      headers,
      body: JSON.stringify({ virtual_account_id: "va_0", amount: 500 }),
    });
    expect(status).toBe(403);
    expect(stderr()).toBe("");
  });

  test("keys that the service refuses and an unknown path are answered as it does, with the reason on stderr", async () => {
    const { url, stderr } = await serve();
    const statuses: number[] = [];
    for (const refused of ["svc_test_invalid", "svc_test_revoked", "oops"])
      statuses.push((await fetch(`${url}/v1/balance`, { headers: { "X-Service-Key": refused } })).status);
    expect(statuses).toEqual([401, 401, 401]);
    await until("the reason is printed", () => stderr() !== "");
    const reasonForKey =
      "standin: the service refuses the key of GET /v1/balance: a key must be 8 to 128 visible ASCII characters that are no placeholder and do not end in _invalid or _revoked\n";
    expect(stderr()).toBe(reasonForKey);
    expect((await fetch(`${url}/balance`, { headers: key })).status).toBe(404);
    await until("the path is printed", () => stderr().length > reasonForKey.length);
    expect(stderr()).toBe(
      `${reasonForKey}standin: the service has no GET /balance; the right path is /v1/balance\n`,
    );
  });

  test("a verifier sets up states, uses an account in them, and gets a new one after teardown", async () => {
    const { child, url, states } = await serve();
    const seen = async () =>
      ((await (await fetch(`${url}/v1/balance`, { headers: key })).json()) as { balance: number }).balance;
    const change = { state: "a wallet balance", params: { balance: 42 } };
    expect(await (await postJson(states, { action: "setup", ...change })).json()).toEqual({ balance: 42 });
    expect(await seen()).toBe(42);
    await postJson(states, { action: "teardown", ...change });
    expect(await seen()).toBeGreaterThan(42);

    const message = await postJson(url, { description: "a payout.paid event" });
    expect(await message.json()).toMatchObject({ event: "payout.paid" });
    expect(message.headers.get("Pact-Message-Metadata")).toMatch(/^[\w+/]+=*$/);

    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });
});
