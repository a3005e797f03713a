import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";
import { freshFolder } from "../support/folder.js";
import { type Finished, runProgram } from "../support/program.js";
import { isLong } from "../support/repetitions.js";
import { post } from "../support/sandbox.js";
import { parseXml } from "../support/xml.js";
import { runHere } from "./run-here.js";
import { connectionTo, standin, standinHere, useProgram } from "./use-program.js";

const program = useProgram();

const good = "name: Good\nsteps:\n  - { say: It answers, call: GET /v1/balance }\n  - advance: 1h\n";
const failing =
  "name: Failing\nsteps:\n  - call: GET /v1/balance\n  - { call: GET /v1/balance, expect: { body: { currency: USD } } }\n  - advance: 1h\n  - { say: Never, advance: 2h }\n";
const wrong = "name: Wrong\nsteps:\n  - call: GET /v1/balances\n  - webhook: payout.pad\n";
const unmakable =
  "name: Unmakable\ngiven:\n  refunds: [{ payment_id: pay_0, amount: 5 }]\nsteps:\n  - advance: 1h\n";

function folder(): string {
  const made = freshFolder();
  for (const [name, text] of Object.entries({ good, failing, wrong, unmakable }))
    writeFileSync(join(made, `${name}.yaml`), text);
  return made;
}

const scenario = (cwd: string, ...args: string[]): Promise<Finished> => runHere(["scenario", ...args], cwd);

describe("standin scenario list", () => {
  test("lists the built-in scenarios, without a sandbox", async () => {
    const { code, stdout, stderr } = await runProgram(["scenario", "list"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^scenario +steps +description\n/);
    expect(stdout).toMatch(/\npayout-rejected +\d+ +The service /);
    const { items } = JSON.parse((await runHere(["scenario", "list", "--json"])).stdout);
    expect(items).toContainEqual({
      name: "payout-rejected",
      title: "Payout rejected",
      description: expect.any(String),
      steps: expect.any(Number),
    });
  });
});

describe("standin scenario load", () => {
  test("loads a built-in scenario, and lists what it created", async () => {
    const account = program.account();
    const output = await standin(account, "scenario", "load", "payout-rejected");
    expect(output).toMatch(/^Loaded Payout rejected: business, payout account, 1 virtual account, 1 payment/);
    expect(await account.rules.list()).toHaveLength(1);
  });

  test("names the endpoints of the account that get the events of the scenario as well", async () => {
    const account = program.account();
    const ofScenario = await standin(account, "scenario", "load", "demo-day");
    expect(ofScenario).not.toContain("Its events also go to");
    await post(account, "/v1/webhooks", { url: "http://127.0.0.1:9/mine" });
    expect(await standin(account, "scenario", "load", "demo-day")).toContain(
      "Its events also go to http://127.0.0.1:9/mine: an endpoint of the account, which loading keeps.",
    );
  });

  test("loads a file, and shows its timeline; --keep keeps the state; --json prints the response", async () => {
    const account = program.account();
    const made = folder();
    const timeline =
      "name: Due\ntimeline:\n  - { at: 2099-01-01, do: trigger_event, with: { event: payout.paid } }\n";
    writeFileSync(join(made, "due.yaml"), timeline);
    await account.events.trigger("payout.paid");
    const output = await standinHere(account, "scenario", "load", join(made, "due.yaml"), "--keep");
    expect(output).toMatch(
      /^Loaded Due\.\n\nnext at +what happens\n2099-01-01T00:00:00\.000Z +Send an event to the account's endpoints, with example data unless data is given\n$/,
    );
    expect(await account.events.list()).toHaveLength(1);
    const state = JSON.parse(
      await standinHere(account, "scenario", "load", join(made, "due.yaml"), "--json"),
    );
    expect(state).toMatchObject({ name: "due", timeline: [{ ran: 0 }] });
    expect(await account.events.list()).toHaveLength(0);
  });

  test("fails if the scenario is refused, or no sandbox answers", async () => {
    const made = folder();
    const refused = await scenario(made, "load", "unmakable.yaml", ...connectionTo(program.account()));
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/^standin: given\.refunds\.0: .*pay_0/);
    const nowhere = await scenario(made, "load", "good.yaml", "--url", "http://127.0.0.1:9");
    expect([nowhere.code, nowhere.stdout]).toEqual([2, ""]);
    expect(nowhere.stderr).toContain("no sandbox answers at http://127.0.0.1:9");
  });
});

describe("standin scenario run", () => {
  test("prints each step, and exits with 0 if all pass", async () => {
    const args = ["scenario", "run", "good.yaml", "payout-rejected"];
    const { code, stdout, stderr } = await runProgram(args, folder());
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Good good.yaml\n  ✓ 1. It answers\n  ✓ 2. The clock is advanced by 1h\n");
    expect(stdout).toMatch(/\n2 of 2 scenarios passed, \d+ steps, \d+\.\d s\.\n$/);
  });

  test("prints what differs, runs the other scenarios too, and exits with 1", async () => {
    const { code, stdout } = await scenario(folder(), "run", "failing.yaml", "unmakable.yaml", "good.yaml");
    expect(code).toBe(1);
    expect(stdout).toContain('  ✗ 2. GET /v1/balance\n      body.currency should be "USD" and is "NGN"\n');
    expect(stdout).toMatch(/✗ 0\. load the scenario\n {6}given\.refunds\.0: .*pay_0/);
    expect(stdout).toContain("  ✓ 1. It answers\n");
    expect(stdout).toContain("\n1 of 3 scenarios passed, ");
  });

  test("--html writes a page with the steps and a picture of each run", async () => {
    const made = freshFolder();
    const { code } = await scenario(made, "run", "phone-code", "wallet", "--html", "runs.html");
    expect(code).toBe(0);
    const page = readFileSync(join(made, "runs.html"), "utf8");
    expect(page.match(/<svg /g)).toHaveLength(2);
    expect(page).toContain('<p class="verdict good">2 of 2 scenarios passed');
    // The words of the file stand above its steps.
    expect(page).toMatch(/<h2>Free tier and wallet<\/h2>\n<p>[^<]{40,}<\/p>/);
    // A style sheet has no entities.
    expect(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1]).not.toContain("&");
    expect(page).toContain("passed: Two lookups are free this month.");
  });

  test("--json prints one document and nothing else; --junit writes a case for each step", async () => {
    const made = folder();
    const { code, stdout, stderr } = await scenario(
      made,
      "run",
      "failing.yaml",
      "good.yaml",
      "--json",
      "--junit",
      "out.xml",
    );
    expect([code, stderr]).toEqual([1, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      scenarios: [
        { name: "Failing", passed: false, skipped: 2, steps: [{ passed: true }, { passed: false }] },
        { name: "Good", passed: true, skipped: 0, steps: [{ title: "It answers" }, { kind: "advance" }] },
      ],
    });
    const [suite] = parseXml(readFileSync(join(made, "out.xml"), "utf8")).children;
    expect(suite?.attributes).toMatchObject({ name: "scenarios", tests: "6", failures: "1", skipped: "2" });
    const cases = suite?.children.map(({ attributes, children }) => [
      attributes.classname,
      attributes.name,
      children[0]?.name ?? "passed",
    ]);
    expect(cases).toEqual([
      ["failing", "1. GET /v1/balance", "passed"],
      ["failing", "2. GET /v1/balance", "failure"],
      ["failing", "3. The clock is advanced by 1h", "skipped"],
      ["failing", "4. Never", "skipped"],
      ["good", "1. It answers", "passed"],
      ["good", "2. The clock is advanced by 1h", "passed"],
    ]);
  });

  test("--url runs on a running sandbox, with --key on its account", async () => {
    const account = program.account();
    await account.events.trigger("payout.paid");
    const { code } = await scenario(folder(), "run", "good.yaml", ...connectionTo(account));
    expect(code).toBe(0);
    expect(await account.events.list()).toEqual([]);
    expect((await account.requests.list({ operation: "getBalance" })).length).toBe(1);
    const fresh = await scenario(folder(), "run", "good.yaml", "--url", account.baseUrl);
    expect(fresh.code).toBe(0);
    expect((await account.requests.list({ operation: "getBalance" })).length).toBe(1);
  });

  test("--all runs all built-in scenarios, also after one that fails", async () => {
    const args = ["run", "--all", "--json", "--url", program.url, "--key", "svc_test_invalid"];
    const { code, stdout } = await scenario(folder(), ...args);
    const { items } = JSON.parse((await runHere(["scenario", "list", "--json"])).stdout);
    const { scenarios } = JSON.parse(stdout);
    expect(scenarios.map(({ name }: { name: string }) => name)).toEqual(
      items.map(({ title }: { title: string }) => title),
    );
    expect([code, scenarios.filter(({ passed }: { passed: boolean }) => passed)]).toEqual([1, []]);
  });

  // In every run, test/scenarios/files.test.ts shows that each scenario passes.
  test.runIf(isLong)("--all passes in a sandbox of its own", async () => {
    const { code, stdout } = await runProgram(["scenario", "run", "--all", "--json"]);
    const { scenarios } = JSON.parse(stdout);
    expect(scenarios.filter(({ passed }: { passed: boolean }) => !passed)).toEqual([]);
    expect([code, scenarios.length]).toEqual([0, (await bundledScenarioNames()).length]);
  });

  test.each<[string, string[], number, RegExp]>([
    ["no scenario", ["run"], 2, /^standin: name scenarios or files, or use --all/],
    [
      "an unknown name",
      ["run", "payout-rejectd"],
      2,
      /^standin: there is no scenario payout-rejectd.*payout-rejected/,
    ],
    [
      "a file that does not exist",
      ["run", "none.yaml"],
      2,
      /^standin: none\.yaml cannot be read: there is no such file/,
    ],
    ["a folder", ["run", "./"], 2, /^standin: \.\/ cannot be read: it is a folder$/m],
    [
      "an invalid scenario",
      ["run", "wrong.yaml"],
      1,
      /^standin: wrong\.yaml:3:5: steps\.0\.call: the service has no GET \/v1\/balances/,
    ],
    [
      "a URL at which no sandbox answers",
      ["run", "good.yaml", "--url", "http://127.0.0.1:9"],
      2,
      /no sandbox answers at http:\/\/127\.0\.0\.1:9/,
    ],
    ["an invalid URL", ["run", "good.yaml", "--url", "here"], 2, /--url must be an http or https URL/],
    ["an unknown option", ["run", "good.yaml", "--alll"], 2, /unknown option '--alll'/],
    [
      "a report that cannot be written",
      ["run", "good.yaml", "--junit", "good.yaml/out.xml"],
      1,
      /the report cannot be written to good\.yaml\/out\.xml/,
    ],
    ["an unknown subcommand", ["play"], 2, /unknown command 'play'|scenario/],
  ])("reports %s on stderr", async (_what, args, exitCode, pattern) => {
    const { code, stderr } = await scenario(folder(), ...args);
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(pattern);
  });
});

describe("standin scenario check", () => {
  test("reports that files have no errors", async () => {
    const { code, stdout, stderr } = await scenario(folder(), "check", "good.yaml", "failing.yaml");
    expect([code, stdout, stderr]).toEqual([0, "2 scenarios checked, no errors.\n", ""]);
  });

  test("lists all errors with file, line and column", async () => {
    const { code, stdout } = await scenario(folder(), "check", "good.yaml", "wrong.yaml");
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^wrong\.yaml:3:5: steps\.0\.call: the service has no GET \/v1\/balances/),
      "wrong.yaml:4:5: steps.1.webhook: there is no such event; the nearest is payout.paid",
      "",
    ]);
  });

  test("--json prints the errors as one document", async () => {
    const { code, stdout } = await scenario(folder(), "check", "wrong.yaml", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout).errors).toMatchObject([
      { file: "wrong.yaml", line: 3, column: 5 },
      { file: "wrong.yaml", line: 4, column: 5 },
    ]);
  });

  test("a file that does not exist is a usage error", async () => {
    const { code, stdout, stderr } = await scenario(folder(), "check", "none.yaml");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("none.yaml cannot be read");
  });
});
