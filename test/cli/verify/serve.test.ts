import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { providerStates } from "../../../src/pact/provider-states/provider-states.js";
import { key } from "../../pact/verify/pacts.js";
import { programFile } from "../../support/program.js";
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
  async function serve(): Promise<{ child: ChildProcess; url: string; states: string }> {
    const child = spawn(process.execPath, [programFile, "verify", "--serve", "--json"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = await once(child.stdout, "data");
    const { url, state_change_url: states } = JSON.parse(String(line));
    return { child, url, states };
  }
  const postJson = (url: string, body: object) =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
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
    const { child, url, states } = await serve();
    const output = once(child.stderr as NodeJS.ReadableStream, "data");
    await postJson(states, { action: "setup", state: "a walet balance" });
    await postJson(states, { action: "setup", state: "an empty wallet" });
    expect(String((await output)[0])).toMatch(/^standin: .*"a walet balance"; the nearest/);
    const failed = await fetch(`${url}/v1/balance`, { headers: key });
    expect([failed.status, await failed.json()]).toEqual([
      999,
      { error: expect.stringContaining('"a wallet balance"') },
    ]);
    expect((await fetch(`${url}/v1/balance`, { headers: key })).status).toBe(200);
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
