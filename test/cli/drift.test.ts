import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultWaitMs } from "../../src/cli/drift/run.js";
import type { SandboxAccount } from "../../src/index.js";
import { retryDelays } from "../../src/world/webhooks/delivery.js";
import { freePort } from "../support/port.js";
import { runProgram, temporaryFolder } from "../support/program.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { runHere } from "./run-here.js";

/** Plays the real service. */
const service = useListeningSandbox({ assumptions: { "http.created": "ok" } });

const driftArgs = ({ baseUrl, key }: SandboxAccount, args: readonly string[]): string[] => [
  ...["drift", "--against", baseUrl, "--key", key, "--pace", "0"],
  ...args,
];
const drift = (account: SandboxAccount, args: readonly string[], folder?: string) =>
  runHere(driftArgs(account, args), folder);

/** Returns a command that prints the newest code of the account, as --otp-cmd does. */
const codeCommand = ({ baseUrl, key }: SandboxAccount): string => {
  const script = `require("node:http").get("${baseUrl}/_sandbox/inbox?limit=1&to=" + encodeURIComponent(process.env.STANDIN_DRIFT_TO), { headers: { "X-Service-Key": "${key}" } }, async (reply) => console.log("code " + JSON.parse((await reply.toArray()).join("")).items[0].codes[0]))`;
  return `${process.execPath} -e '${script}'`;
};

interface Report {
  calls: number;
  assumptions: { assumption: string; verdict: string; flag: string | null; reason: string | null }[];
  operations: { operation: string; verdict: string; findings: unknown[] }[];
}

describe("standin drift", () => {
  test("waits by default until the first three retries of a webhook have come, as --help says", async () => {
    const { stdout } = await runHere(["drift", "--help"]);
    const [, seconds] = /how long to wait for something to happen\s+\(default\s+(\d+)s\)/.exec(stdout) ?? [];
    expect(1_000 * Number(seconds)).toBe(defaultWaitMs);
    const thirdRetryMs = retryDelays.slice(0, 3).reduce((sum, delay) => sum + delay, 0);
    expect(defaultWaitMs).toBeGreaterThan(thirdRetryMs);
  });

  test("names the contradicted assumption with its flag, and writes lock, config, JUnit and Markdown", async () => {
    const folder = temporaryFolder();
    const args = [
      "--only",
      "general,phone",
      "--write-config",
      "--junit",
      "drift.xml",
      "--markdown",
      "drift.md",
    ];
    const account = service.account();
    const { code, stdout, stderr } = await runProgram(
      driftArgs(account, [...args, "--otp-cmd", codeCommand(account)]),
      folder,
    );
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      /^Up to \d+ calls to http:\/\/127.*Cost at list price: up to NGN \d+; test keys cause no real charge/,
    );
    expect(stdout).toMatch(
      /contradicted +http\.created +created, the service has ok: --assume http\.created=ok/,
    );
    expect(stdout.match(/contradicted|neither|differs|could not check/g)).toEqual(["contradicted"]);
    expect(stdout).toContain("1 difference found.");
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    expect(JSON.parse(read("standin.config.json"))).toEqual({ assumptions: { "http.created": "ok" } });
    const lock = JSON.parse(read("drift.lock.json"));
    expect(lock.assumptions["http.created"]).toMatchObject({
      verdict: "contradicted",
      observed: "ok",
      evidence: ["POST /v1/phone/verify/start → 200"],
    });
    expect(lock.operations.startPhoneVerification).toMatchObject({ verdict: "same", findings: [] });
    const failed = [...read("drift.xml").matchAll(/ name="([^"]+)"[^>]*>\s*<failure/g)].map(
      ([, name]) => name,
    );
    expect(failed).toEqual(["http.created"]);
    expect(read("drift.md")).toContain("| contradicted | `http.created` |");
    // With the config that was written, the sandbox agrees.
    const again = await drift(account, ["--only", "general", "--json"], folder);
    expect(again.code, again.stdout).toBe(0);
    const check = await runHere(["drift", "--check"], folder);
    expect([check.code, check.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^The service confirms \d+ of \d+, [\d.]+%\.\ndrift\.lock\.json: nothing contradicts it, and nothing in it is too old\.\n$/,
      ),
    ]);
  });

  test("neither key nor codes nor numbers of people reach output or disk", async () => {
    const folder = temporaryFolder();
    const account = service.account();
    const args = [
      "--scenario",
      "phone-code,bvn-check",
      "--json",
      "--junit",
      "drift.xml",
      "--markdown",
      "drift.md",
    ];
    const run = await drift(account, [...args, "--otp-cmd", codeCommand(account)], folder);
    const { codes } = (await account.inbox.list())[0] as { codes: string[] };
    const files = ["drift.lock.json", "drift.xml", "drift.md"].map((name) =>
      readFileSync(join(folder, name), "utf8"),
    );
    const written = [run.stdout, run.stderr, ...files].join("\n");
    for (const secret of [account.key, ...codes, "22301948576", "8031234567"])
      expect(written).not.toContain(secret);
    expect(codes).toHaveLength(1);
  });

  test("--dry-run calls nothing and says what a run would call and cost", async () => {
    const folder = temporaryFolder();
    const account = service.account();
    const { code, stdout } = await drift(account, ["--dry-run", "--json"], folder);
    const plan = JSON.parse(stdout) as {
      calls: number;
      cost: number;
      groups: { group: string; calls: number; cost: number }[];
      not_tried: unknown[];
      not_drivable: unknown[];
    };
    expect(code).toBe(0);
    expect(plan.calls).toBeGreaterThan(100);
    expect(plan.calls).toBeLessThanOrEqual(900);
    expect(plan.cost).toBeGreaterThan(0);
    expect(plan.cost).toBeLessThanOrEqual(2_000);
    const sum = (of: "calls" | "cost") => plan.groups.reduce((all, group) => all + group[of], 0);
    expect([sum("calls"), sum("cost")]).toEqual([plan.calls, plan.cost]);
    expect(plan.not_tried).toContainEqual(
      expect.objectContaining({
        id: "state.phone.expired",
        reason: "needs many calls, minutes or money; pass --slow",
      }),
    );
    expect(plan.not_drivable).toContainEqual(
      expect.objectContaining({ reason: expect.stringMatching(/^time has to pass; pass --wait \d+[mhd]$/) }),
    );
    expect(await account.control("GET", "/requests")).toMatchObject({ items: [] });
    expect(existsSync(join(folder, "drift.lock.json"))).toBe(false);
  });

  test("says what an assumption needs that cannot be tested without it", async () => {
    const args = [
      "--only",
      "phone,audits,channels,webhooks",
      "--scenario",
      "phone-lockout",
      "--json",
      "--wait",
      "0",
    ];
    const { stdout } = await drift(service.account(), args);
    const { assumptions } = JSON.parse(stdout) as Report;
    const reasons = assumptions.flatMap(({ assumption, verdict, reason }) =>
      verdict === "not testable" ? [[assumption, /--[a-z-]+/.exec(reason ?? "")?.[0]]] : [],
    );
    expect(reasons).toEqual([
      ["phone.code_reuse", "--otp-cmd"],
      ["phone.second_code", "--otp-cmd"],
      ["audits.failed", "--wait"],
      ["identity.defaults", "--reply-cmd"],
      ["webhooks.bytes", "--webhook-url"],
      ["webhooks.headers", "--webhook-url"],
      ["webhooks.payload", "--webhook-url"],
      ["webhooks.secret", "--webhook-url"],
    ]);
  });

  test("--reply-cmd, --session-token and --wait drive what needs them", async () => {
    const account = service.account();
    const script = `require("node:http").request("${account.baseUrl}/_sandbox/inbox/reply", { method: "POST", headers: { "X-Service-Key": "${account.key}", "Content-Type": "application/json" } }, (reply) => process.exit(reply.statusCode < 300 ? 0 : 1)).end(JSON.stringify({ channel_id: process.env.STANDIN_DRIFT_CHANNEL, from: process.env.STANDIN_DRIFT_FROM, text: process.env.STANDIN_DRIFT_TEXT }))`;
    const { token } = await account.control<{ token: string }>("POST", "/session-token");
    const folder = temporaryFolder();
    const steps = [
      { call: "POST /v1/domains/verify/start", session: true, body: { domain: "shop.example.com" } },
      { advance: "200ms" },
      { call: "GET /v1/balance" },
    ];
    writeFileSync(join(folder, "waits.json"), JSON.stringify({ name: "Waits", steps }));
    const args = ["--only", "channels", "--scenario", "./waits.json", "--json", "--wait", "5s"];
    args.push("--assume", "http.created=ok");
    const means = ["--reply-cmd", `${process.execPath} -e '${script}'`, "--session-token", token];
    const { stdout, stderr } = await drift(account, [...args, ...means], folder);
    const report = JSON.parse(stdout || stderr) as Report & { not_drivable: unknown[] };
    expect(report.assumptions.map(({ assumption, verdict }) => [assumption, verdict])).toEqual([
      ["channels.closed_window", "confirmed"],
      ["identity.defaults", "confirmed"],
    ]);
    expect(report.not_drivable).toEqual([]);
    expect(report.operations.map(({ operation, verdict }) => [operation, verdict])).toEqual([
      ["startDomainVerification", "same"],
      ["getBalance", "same"],
    ]);
  });

  test("a command that fails could not be checked, and says nothing of its output", async () => {
    const args = [
      "--only",
      "phone",
      "--scenario",
      "phone-lockout",
      "--json",
      "--otp-cmd",
      "echo 918273; exit 3",
    ];
    const { code, stdout, stderr } = await drift(service.account(), args);
    const { assumptions } = JSON.parse(stdout) as Report;
    expect([code, assumptions.find(({ assumption }) => assumption === "phone.code_reuse")]).toMatchObject([
      expect.any(Number),
      { verdict: "could not check", reason: "the command of --otp-cmd failed (exit code 3)" },
    ]);
    expect(stdout + stderr).not.toContain("918273");
  });

  test("a run in which nothing was tried is not green", async () => {
    const folder = temporaryFolder();
    const pays = { name: "Pays", steps: [{ control: "GET /inbox" }] };
    writeFileSync(join(folder, "pays.json"), JSON.stringify(pays));
    const args = ["--only", "webhooks", "--scenario", "./pays.json", "--i-know-this-costs-money"];
    const { code, stdout } = await drift(service.account({ mode: "live" }), args, folder);
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining("Nothing was tried, so nothing is known about drift."),
    ]);
  });

  test("--json has the findings of assumptions, checks and operations in one list", async () => {
    const account = service.account();
    const { code, stdout } = await drift(account, ["--only", "general", "--json"]);
    expect([code, JSON.parse(stdout).findings]).toEqual([
      1,
      [
        {
          kind: "assumption",
          check: "http.created",
          problem: "created, the service has ok: --assume http.created=ok",
          operations: [],
        },
      ],
    ]);
  });

  test("receives webhooks at --webhook-url", async () => {
    const url = `http://127.0.0.1:${await freePort()}/hooks`;
    const args = [
      "--only",
      "webhooks",
      "--scenario",
      "phone-lockout",
      "--webhook-url",
      url,
      "--json",
      "--wait",
      "5s",
    ];
    const { stdout } = await drift(service.account(), args);
    const { assumptions } = JSON.parse(stdout) as Report;
    expect(assumptions.map(({ verdict }) => verdict)).toEqual(Array(4).fill("confirmed"));
  });

  test("a service that does not answer could not be checked, which is not drift", async () => {
    const args = [
      "drift",
      "--against",
      `http://127.0.0.1:${await freePort()}`,
      "--key",
      "svc_test_drift",
      "--pace",
      "0",
    ];
    const { code, stdout } = await runHere([...args, "--only", "general"]);
    expect(code).toBe(3);
    expect(stdout).toContain("could not check http.created");
    expect(stdout).toContain("Nothing could be judged, so nothing is known about drift.");
    expect(stdout).not.toContain("confirmed");
  });

  test.each([
    [["--key", "svc_live_drift"], "is a live key, whose calls cost money"],
    [["--key", "svc_test_invalid"], "--key must be 8 to 128"],
    [["--only", "phones"], 'there is no group "phones"; the nearest is phone'],
    [["--max-cost", "1"], "which is more than --max-cost 1"],
    [["--max-age", "3d"], "--max-age requires --check"],
    [["--min", "confirmed=80%"], "--min requires --check"],
    [["--check", "--min", "80"], "It must be a percentage, such as confirmed=80%."],
    [["--diff", "none.lock.json", "neither.lock.json"], "there is no none.lock.json"],
    [["--webhook-url", "https://shop.example/hooks"], "--webhook-url requires --webhook-port"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await drift(service.account(), args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test("a key that the service refuses ends the run", async () => {
    const strict = ["drift", "--against", service.url, "--key", "svc_test_unknown\u00e9"];
    expect((await runHere(strict)).code).toBe(2);
  });
});

describe("standin drift --check", () => {
  const lockOf = (checked_at: string, observed: string) => ({
    version: 1,
    against: "https://api.example.com",
    assumptions: { "http.created": { verdict: "confirmed", observed, checked_at, evidence: [] } },
    operations: {},
  });
  const checkIn = (lock: object | string, args: readonly string[] = []) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "drift.lock.json"), typeof lock === "string" ? lock : JSON.stringify(lock));
    return runHere(["drift", "--check", "--json", ...args], folder);
  };
  const now = new Date().toISOString();

  test("passes a lock that is new and agrees", async () => {
    expect((await checkIn(lockOf(now, "created"))).code).toBe(0);
  });

  test("fails a lock that is too old", async () => {
    const old = lockOf("2026-01-02T00:00:00.000Z", "created");
    const { code, stdout } = await checkIn(old, ["--max-age", "7d"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).problems).toEqual([
      "http.created: checked on 2026-01-02, which is too long ago",
    ]);
  });

  test("fails a lock that the values in force contradict", async () => {
    const { code, stdout } = await checkIn(lockOf(now, "ok"));
    expect(code).toBe(1);
    expect(JSON.parse(stdout).problems[0]).toContain("--assume http.created=ok");
    expect((await checkIn(lockOf(now, "ok"), ["--assume", "http.created=ok"])).code).toBe(0);
  });

  test("fails below the minimum of what the service confirms, and writes the share as a badge", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "drift.lock.json"), JSON.stringify(lockOf(now, "created")));
    const check = ["drift", "--check", "--json", "--badge", "drift.svg", "--min"];
    const { code, stdout } = await runHere([...check, "confirmed=80%"], folder);
    const { confirmed, total, problems } = JSON.parse(stdout);
    expect([code, confirmed]).toEqual([1, 1]);
    expect(problems).toEqual([expect.stringContaining(`confirms 1 of ${total} assumptions, errors, limits`)]);
    expect(readFileSync(join(folder, "drift.svg"), "utf8")).toContain("confirmed by the service: 0%");
    expect((await runHere([...check, "confirmed=0.1"], folder)).code).toBe(0);
  });

  test("fails without a lock, and refuses a file that is none", async () => {
    expect((await runHere(["drift", "--check"])).code).toBe(1);
    expect((await checkIn("{}")).code).toBe(2);
  });
});

describe("what drift has observed", () => {
  test("errors, limits and prices are in the lock with how they were seen, and two locks can be compared", async () => {
    const folder = temporaryFolder();
    const args = ["--only", "account", "--assume", "http.created=ok"];
    const { code, stderr } = await drift(service.account(), args, folder);
    expect(code, stderr).toBe(0);
    const file = join(folder, "drift.lock.json");
    const lock = JSON.parse(readFileSync(file, "utf8"));
    expect(lock.checks["price.bvn"]).toEqual({
      kind: "money",
      verdict: "confirmed",
      observed: "naira 50",
      how: "the price of bvn in the price list",
      checked_at: expect.stringMatching(/^20/),
    });
    expect(lock.checks["error.getBalance.unknown_path"].observed).toContain("404 route_not_found");
    lock.checks["price.bvn"].observed = "naira 55";
    delete lock.checks["price.nin"];
    writeFileSync(join(folder, "before.json"), JSON.stringify(lock));
    const diff = await runHere(["drift", "--diff", "before.json", "drift.lock.json", "--json"], folder);
    expect([diff.code, JSON.parse(diff.stdout).changes]).toEqual([
      1,
      [
        { id: "price.bvn", before: "naira 55", after: "naira 50" },
        { id: "price.nin", before: null, after: "naira 50" },
      ],
    ]);
    const same = await runHere(["drift", "--diff", "drift.lock.json", "drift.lock.json"], folder);
    expect([same.code, same.stdout]).toEqual([
      0,
      "drift.lock.json and drift.lock.json have observed the same.\n",
    ]);
  });

  test("--questions lists what no run can see, and neither probes nor checks answer", async () => {
    const { code, stdout } = await runHere(["drift", "--questions"]);
    expect(code).toBe(0);
    expect(stdout).toContain("- [ ] **state.payment.released**: What happens to held payments");
    expect(stdout).toContain("- [ ] **business.payments**:");
    expect(stdout).not.toContain("**http.created**");
  });
});
