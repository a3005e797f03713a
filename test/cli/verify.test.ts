import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { providerStates } from "../../src/pact/states.js";
import { answer, ask, http, key, like, pact, pactFile } from "../pact/verify/pacts.js";
import { freshFolder } from "../support/folder.js";
import { programFile, runProgram } from "../support/program.js";
import { parseXml } from "../support/xml.js";
import { startBroker } from "./broker.js";

const balance = ask("GET", "/v1/balance");
const met = http("the balance", balance, answer(200), "an empty wallet");
const wrong = http("a balance as text", balance, answer(200, { balance: "12" }, { "$.balance": like }));
const misspelt = http("a payout", balance, answer(200), "a setled balance");

/** Runs in a folder with these pacts in it. */
function verify(args: readonly string[], files: Record<string, object> = {}, cwd = freshFolder()) {
  for (const [name, document] of Object.entries(files)) pactFile(document as never, cwd, name);
  return runProgram(["verify", ...args], cwd);
}

describe("the report", () => {
  test("ends with 0 when all is met, and names every interaction with its states", async () => {
    const { code, stdout, stderr } = await verify(["shop.json"], { "shop.json": pact([met]) });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^shop shop\.json\n {2}✓ the balance given an empty wallet\n\n1 of 1 interaction of 1 pact verified, \d\.\d s\.\n$/,
    );
  });

  test("says what differs and what the contract has there, goes on, and ends with 1", async () => {
    const cwd = freshFolder();
    const args = ["shop.json", "--junit", "out.xml", "--markdown", "out.md"];
    const { code, stdout } = await verify(args, { "shop.json": pact([wrong, misspelt, met]) }, cwd);
    expect(code).toBe(1);
    expect(stdout.split("\n").slice(0, -2)).toEqual([
      "shop shop.json",
      "  ✗ a balance as text",
      "      body $.balance: expected the type of '12' (String), got 1000000 (Integer)",
      "        the contract of getBalance has balance as number",
      "  ✗ a payout given a setled balance",
      '      there is no provider state "a setled balance"; the nearest are "a settled balance", "a wallet balance", "a held payment".',
      "  ✓ the balance given an empty wallet",
      "",
    ]);

    const [suite] = parseXml(readFileSync(join(cwd, "out.xml"), "utf8")).children;
    expect(suite?.attributes).toMatchObject({ name: "pacts", tests: "3", failures: "2" });
    expect(
      suite?.children.map(({ attributes, children }) => [
        attributes.classname,
        attributes.name,
        children[0]?.attributes.message ?? "passed",
      ]),
    ).toEqual([
      [
        "shop",
        "a balance as text",
        expect.stringMatching(/^body \$\.balance: .*; the contract of getBalance/),
      ],
      [
        "shop",
        "a payout, given a setled balance",
        expect.stringMatching(/the nearest are "a settled balance"/),
      ],
      ["shop", "the balance, given an empty wallet", "passed"],
    ]);

    const [heading, ...rows] = readFileSync(join(cwd, "out.md"), "utf8").split("\n");
    expect(heading).toMatch(/^## Pacts: 1 of 3 interactions of 1 pact verified/);
    expect(
      rows.filter((row) => row.startsWith("| ❌ | shop | a balance as text |  | body $.balance: ")),
    ).toHaveLength(1);
    expect(rows).toContain("| ✅ | shop | the balance | an empty wallet |  |");
  });

  test("is as the README shows it", async () => {
    const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
    const [, shown = ""] = /```\n(shop pacts\/[^`]*)```/.exec(readme) ?? [];
    const body = { balance: "12.50" };
    const shop = pact([
      http("a balance", balance, answer(200, body, { "$.balance": like })),
      http("a payout", ask("POST", "/v1/business/payouts", { amount: 5 }), answer(201), "a setled balance"),
      http(
        "a refused payout",
        ask("POST", "/v1/business/payouts", { amount: "5" }),
        answer(201),
        "a settled balance",
      ),
    ]);
    const cwd = freshFolder();
    mkdirSync(join(cwd, "pacts"));
    const { stdout } = await verify(["pacts"], { "pacts/shop-service.json": shop }, cwd);
    const timeless = (text: string) => text.replace(/\d\.\d s/, "");
    expect(timeless(stdout)).toBe(timeless(shown));
  });

  test("--json is one document and nothing else", async () => {
    const { code, stdout, stderr } = await verify(["shop.json", "--json"], {
      "shop.json": pact([wrong, met]),
    });
    expect([code, stderr]).toEqual([1, ""]);
    expect(JSON.parse(stdout)).toEqual({
      passed: false,
      warnings: [],
      failures: [],
      interactions: [
        expect.objectContaining({ description: "a balance as text", result: "failed", source: "shop.json" }),
        {
          source: "shop.json",
          consumer: "shop",
          description: "the balance",
          states: ["an empty wallet"],
          kind: "http",
          result: "passed",
          problems: [],
          duration_ms: expect.any(Number),
        },
      ],
    });
  });

  test("without any interaction is a failure, in the JUnit file too", async () => {
    const cwd = freshFolder();
    const { code, stdout } = await verify(["a.json", "--junit", "out.xml"], { "a.json": pact([]) }, cwd);
    expect([code, stdout]).toEqual([1, "No interaction was verified, which is a failure.\n"]);
    expect(parseXml(readFileSync(join(cwd, "out.xml"), "utf8")).children[0]?.attributes.failures).toBe("1");
  });

  test("depends on the assumptions in force", async () => {
    const refused = http("no phone", ask("POST", "/v1/phone/verify/start", { phone: "1" }), answer(400));
    const args = ["shop.json", "--assume", "errors.validation_status=422"];
    const { code, stdout } = await verify(args, { "shop.json": pact([refused]) });
    expect(code).toBe(1);
    expect(stdout).toContain("status: expected 400, got 422\n");
  });
});

describe("what is verified", () => {
  test("is every pact of a folder, in the order of their names", async () => {
    const cwd = freshFolder();
    pactFile(pact([met], "web"), cwd, "b.json");
    pactFile(pact([met], "app"), cwd, "a.json");
    const { interactions } = JSON.parse((await verify([".", "--json"], {}, cwd)).stdout);
    expect(interactions.map(({ consumer }: { consumer: string }) => consumer)).toEqual(["app", "web"]);
  });

  test("may lie at a URL, behind a token", async () => {
    const { url, asked } = await startBroker(pact([met]));
    const { code, stdout } = await verify([`${url}/pacts/shop`, "--token", "secret"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`shop ${url}/pacts/shop\n  ✓ the balance`);
    expect(asked).toMatchObject([{ route: "GET /pacts/shop", authorization: "Bearer secret" }]);
  });

  const publishing = (url: string) => [
    ...["--broker-url", url, "--provider", "service", "--token", "secret"],
    ...["--consumer-version-selectors", '{"mainBranch":true}', "--provider-branch", "main"],
    ...["--publish", "--provider-version", "1.2.3"],
  ];

  test("may be a broker's, which is told the results where that is asked for", async () => {
    const { url, asked, body } = await startBroker(pact([wrong, met]));
    const { code, stdout } = await verify([...publishing(url), "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      failures: [],
      interactions: [
        { source: url, consumer: "shop", description: "a balance as text", result: "failed" },
        { source: url, consumer: "shop", description: "the balance", result: "passed" },
      ],
    });
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer secret"]));
    expect(body("POST /pacts/for-verification")).toMatchObject({
      consumerVersionSelectors: [{ mainBranch: true }],
      providerVersionBranch: "main",
    });
    expect(body("POST /results")).toMatchObject({ success: false, providerApplicationVersion: "1.2.3" });
  });

  test("a broker that does not take the results is a failure, though all is met", async () => {
    const { url } = await startBroker(pact([met]), { takesResults: false });
    const { code, stdout } = await verify(publishing(url));
    expect(code).toBe(1);
    expect(stdout).toContain("  ✓ the balance");
    expect(stdout).toMatch(/\nfailure the broker was not told the results: .*404/);
  });

  test("a broker that has none is a failure with its reason", async () => {
    const { url } = await startBroker(pact([met]));
    const { code, stdout, stderr } = await verify(["--broker-url", `${url}/none`, "--provider", "service"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^standin: .*broker/i);
  });

  const notFound = "http://127.0.0.1:1/pact.json";
  test.each<[string, string[], RegExp]>([
    ["nothing", [], /^standin: name pact files, folders or URLs, or else --broker-url/],
    ["a file that there is not", ["none.json"], /^standin: none\.json cannot be read: ENOENT/],
    ["a file that is no JSON", ["text.json"], /^standin: text\.json is no JSON: /],
    [
      "a file that is no pact",
      ["other.json"],
      /^standin: other\.json is no pact: consumer, provider and inter/,
    ],
    [
      "a URL where nobody answers",
      [notFound],
      /^standin: http:\/\/127\.0\.0\.1:1\/pact\.json cannot be fetched: /,
    ],
    ["a broker without a provider", ["--broker-url", "http://a"], /--broker-url needs --provider/],
    [
      "results without a version",
      ["--broker-url", "http://a", "--provider", "b", "--publish"],
      /--provider-version/,
    ],
    [
      "selectors that are no JSON",
      ["--consumer-version-selectors", "main"],
      /such as \{"mainBranch": true\}/,
    ],
    ["an option that there is not", ["--jnuit", "a.xml"], /unknown option '--jnuit'/],
  ])("%s is said on stderr, and ends with 2", async (_what, args, says) => {
    const cwd = freshFolder();
    pactFile("{", cwd, "text.json");
    pactFile({ openapi: "3.1.0" }, cwd, "other.json");
    const { code, stdout, stderr } = await verify(args, {}, cwd);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(says);
  });
});

describe("standin verify --states", () => {
  test("lists the provider states with their parameters and values", async () => {
    const { code, stdout } = await verify(["--states"]);
    expect(code).toBe(0);
    const [headings, ...rows] = stdout.trimEnd().split("\n");
    expect(headings).toMatch(/^state +parameters +values +what it is$/);
    expect(rows).toHaveLength(providerStates.length);
    expect(rows).toContainEqual(
      expect.stringMatching(/^a held payment +amount +payment_id, virtual_account_id, amount +A /),
    );
  });

  test("--json has the parameters as JSON Schema", async () => {
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
      stdio: ["ignore", "pipe", "inherit"],
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

  test("another verifier gets the states, then an account that is in them, then a new one", async () => {
    const { child, url, states } = await serve();
    const seen = async () =>
      ((await (await fetch(`${url}/v1/balance`, { headers: key })).json()) as { balance: number }).balance;
    const change = { state: "a wallet balance", params: { balance: 42 } };
    expect(await (await postJson(states, { action: "setup", ...change })).json()).toEqual({ balance: 42 });
    expect(await seen()).toBe(42);
    await postJson(states, { action: "teardown", ...change });
    expect(await seen()).toBeGreaterThan(42);

    expect((await postJson(states, { action: "setup", state: "a walet balance" })).status).toBe(400);
    const message = await postJson(url, { description: "a payout.paid event" });
    expect(await message.json()).toMatchObject({ event: "payout.paid" });
    expect(message.headers.get("Pact-Message-Metadata")).toMatch(/^[\w+/]+=*$/);

    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});
