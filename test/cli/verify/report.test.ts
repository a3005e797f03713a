import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, ask, http, like, pact } from "../../pact/verify/pacts.js";
import { freshFolder } from "../../support/folder.js";
import { runProgram } from "../../support/program.js";
import { parseXml } from "../../support/xml.js";
import { runHere } from "../run-here.js";
import { balance, met, misspelt, verify, wrong } from "./run-verify.js";

describe("the report", () => {
  test("is added to the summary of a GitHub job, whatever a pact is called", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, "step.md"), "# Earlier step\n");
    const odd = http("a <b>payout</b> | refund", balance, answer(200), "a setled\nbalance");
    const inJob: typeof runHere = (args, folder) =>
      runHere(args, folder, { GITHUB_STEP_SUMMARY: join(cwd, "step.md") });
    await verify(["shop.json", "--markdown", "step.md"], { "shop.json": pact([odd]) }, cwd, inJob);
    expect(readFileSync(join(cwd, "step.md"), "utf8")).toMatch(
      /^# Earlier step\n\n## Pacts: .*\n\n\|.*\n\|.*\n\| ❌ \| shop \| a &lt;b>payout&lt;\/b> \\\| refund \| a setled balance \| .*\|\n$/,
    );
  });

  test("exits with 0 if all interactions pass, and lists them with their states", async () => {
    const files = { "shop.json": pact([met]) };
    const { code, stdout, stderr } = await verify(["shop.json"], files, freshFolder(), runProgram);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^shop shop\.json\n {2}✓ the balance given an empty wallet\n\n1 of 1 interaction of 1 pact verified, \d\.\d s\.\n$/,
    );
  });

  test("shows each difference with what the contract says, continues, and exits with 1", async () => {
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

  test("matches the example in docs/pact.md", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/pact.md"), "utf8");
    const [, shown = ""] = /```\n(shop pacts\/[^`]*)```/.exec(page) ?? [];
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

  test("--json prints one document and nothing else", async () => {
    const { code, stdout, stderr } = await verify(["shop.json", "--json"], {
      "shop.json": pact([wrong, met]),
    });
    expect([code, stderr]).toEqual([1, ""]);
    expect(JSON.parse(stdout)).toEqual({
      passed: false,
      warnings: [],
      failures: [],
      untried: [],
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

  test("a pact without interactions exits with 3, also beside one that passes, and is a failure in the JUnit file", async () => {
    const cwd = freshFolder();
    const { code, stdout } = await verify(["a.json", "--junit", "out.xml"], { "a.json": pact([]) }, cwd);
    expect([code, stdout]).toEqual([
      3,
      "not tried a.json has no interaction\n\nNothing was tried: no interaction was verified.\n",
    ]);
    expect(parseXml(readFileSync(join(cwd, "out.xml"), "utf8")).children[0]?.attributes.failures).toBe("1");
    const beside = await verify(["a.json", "b.json"], { "b.json": pact([met]) }, cwd);
    expect([beside.code, beside.stdout]).toEqual([3, expect.stringContaining("not tried a.json has no")]);
    const failing = await verify(["a.json", "c.json"], { "c.json": pact([wrong]) }, cwd);
    expect(failing.code).toBe(1);
  });

  test("the values of --assume apply", async () => {
    const refused = http("no phone", ask("POST", "/v1/phone/verify/start", { phone: "1" }), answer(400));
    const args = ["shop.json", "--assume", "errors.validation_status=422"];
    const { code, stdout } = await verify(args, { "shop.json": pact([refused]) });
    expect(code).toBe(1);
    expect(stdout).toContain("status: expected 400, got 422\n");
  });
});
