import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { formatJunit } from "../../../src/cli/output/report.js";
import { type behaviours, secret, startFaulty } from "../../receiver-check/faulty-receivers.js";
import { freePort } from "../../support/port.js";
import { runProgram, temporaryFolder } from "../../support/program.js";
import type { Receiver } from "../../support/receiver.js";
import { parseXml } from "../../support/xml.js";
import { runHere } from "../run-here.js";

const open: Receiver[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const receiver of open.splice(0)) await receiver.close();
});

async function receiver(name: keyof typeof behaviours): Promise<string> {
  const started = await startFaulty(name);
  open.push(started);
  return started.url;
}

const check = (...args: string[]) => runHere(["webhooks", "check", ...args]);
const quick = ["--secret", secret, "--timeout", "500ms"];

describe("standin webhooks check", () => {
  test("prints a table by groups, and exits with 0 if the receiver is correct", async () => {
    const url = await receiver("right");
    const args = ["webhooks", "check", url, ...quick, "--seed", "one"];
    const { code, stdout, stderr } = await runProgram(args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^check +sent +answered +verdict\n\nEvery kind of event\nevent\/verification\.comp/,
    );
    expect(stdout).toMatch(/\n\nForged deliveries\nforged\/wrong +last digit changed +401 in \d+ ms +pass\n/);
    expect(stdout).toMatch(/^(\d+) checks of http:\S+ with --seed one: \1 passed\.\nThe slowest of /m);
    expect(stdout).not.toContain(secret);
  });

  test("lists failures and advice, and exits with 1", async () => {
    const { code, stdout } = await check(
      await receiver("takes everything"),
      ...quick,
      "--only",
      "forged,odd",
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^15 checks .*: 1 passed, 11 failed, 3 advice\.$/m);
    expect(stdout).toMatch(/\nFailures:\n {2}forged\/wrong {2}The receiver answered 200: it accepted/);
    expect(stdout).toMatch(
      /\nAdvice:\n {2}forged\/uppercase .*\n {2}odd\/get {2}The receiver answered 200; expected a 4xx/,
    );
  });

  test("stops and fails when the receiver no longer answers", async () => {
    const { code, stdout } = await check(await receiver("dies of a wrong signature"), ...quick);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^forged\/missing +no signature header +- +skipped$/m);
    expect(stdout).toContain("Not sent: nothing listens at the URL since forged/wrong.");
  });

  test("prints the report as one JSON document", async () => {
    const url = await receiver("takes everything");
    const { code, stdout } = await check(url, ...quick, "--json", "--only", "forged/prefixed");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      url,
      timeout_ms: 500,
      passed: false,
      counts: { pass: 0, fail: 1, advice: 0, skipped: 0 },
      results: [
        {
          id: "forged/prefixed",
          group: "Forged deliveries",
          answered: [{ status: 200, error: null }],
          verdict: "fail",
        },
      ],
    });
  });

  test("takes the secret from WEBHOOK_SECRET by default", async () => {
    vi.stubEnv("WEBHOOK_SECRET", secret);
    expect((await check(await receiver("right"), "--only", "event,bytes")).code).toBe(0);
  });

  test("--list lists the checks without a URL", async () => {
    const { code, stdout } = await check("--list", "--only", "odd");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^check +sent +expected\nodd\/unknown-event .*\nodd\/get .*\nodd\/invalid-json .*\n$/,
    );
    const { items } = JSON.parse((await check("--list", "--json")).stdout);
    expect(items.length).toBeGreaterThan(40);
  });
});

describe("--junit", () => {
  test("writes a case for each check, with what failed and what was skipped", async () => {
    const file = join(temporaryFolder(), "webhooks.xml");
    const url = `${await receiver("dies of a wrong signature")}?a=1&b='2'`;
    const { code } = await check(url, ...quick, "--junit", file);
    const { name, children } = parseXml(readFileSync(file, "utf8"));
    const [suite] = children;
    const cases = suite?.children ?? [];
    const having = (child: string) => cases.filter(({ children: [first] }) => first?.name === child);
    expect([code, name, children.length, suite?.name]).toEqual([1, "testsuites", 1, "testsuite"]);
    expect(suite?.attributes).toMatchObject({
      name: `webhooks of ${url}`,
      tests: String(cases.length),
      failures: "1",
      errors: "0",
      skipped: String(having("skipped").length),
    });
    expect(having("failure").map(({ attributes }) => attributes.name)).toEqual([
      "forged/wrong: A wrong signature is refused",
    ]);
    expect(having("skipped").length).toBeGreaterThan(10);
    expect(cases.every(({ attributes }) => Number(attributes.time) >= 0 && attributes.classname)).toBe(true);
  });

  test("is valid XML whatever the texts contain", () => {
    const text = `<a b="c">&amp;]]></a>\n\t\r\u0000\u001b[2J'\ud83d ₦👟`;
    const rows = [
      { group: text, name: text, seconds: 0.5, verdict: "failed", text },
      { group: "g", name: "n", seconds: 0.25, verdict: "note", text },
    ] as const;
    const [suite] = parseXml(formatJunit(text, rows)).children;
    const kept = `<a b="c">&amp;]]></a>\n\t\r\ufffd\ufffd[2J'\ufffd ₦👟`;
    const [failed, passed] = suite?.children ?? [];
    expect([suite?.attributes.name, suite?.attributes.time]).toEqual([kept, "0.75"]);
    expect([failed?.attributes.name, failed?.children[0]?.attributes.message]).toEqual([kept, kept]);
    expect(passed?.children[0]?.text).toBe(kept);
  });

  test("reports a file that cannot be written", async () => {
    const file = join(import.meta.filename, "report.xml");
    const args = [...quick, "--only", "event/payout.paid", "--junit", file];
    const { code, stderr } = await check(await receiver("right"), ...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`cannot be written to ${file}`)]);
  });
});

describe("an invalid command line exits with 2 and one line on stderr", () => {
  test.each<[string[], RegExp]>([
    [["ftp://127.0.0.1/", "--secret", "x"], /an http or https URL such as .* got ftp:/],
    [["--secret", "x"], /an http or https URL such as/],
    [["http://127.0.0.1:9/"], /--secret or WEBHOOK_SECRET; POST \/v1\/webhooks/],
    [["http://127.0.0.1:9/", "--secret", "x", "--only", "forgd"], /no check "forgd"; .*--list/],
  ])("%j", async (args, pattern) => {
    vi.stubEnv("WEBHOOK_SECRET", "");
    const { code, stdout, stderr } = await check(...args);
    expect([code, stdout, stderr.trim().split("\n").length]).toEqual([2, "", 1]);
    expect(stderr).toMatch(pattern);
  });

  test("when nothing listens at the URL", async () => {
    const url = `http://127.0.0.1:${await freePort()}/hooks`;
    const { code, stdout, stderr } = await check(url, ...quick);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`nothing listens at ${url} (ECONNREFUSED)`);
  });

  test("with a hint from commander when a value is invalid, or an option or command does not exist", async () => {
    const [option, command, timeout] = await Promise.all([
      check("--form", "x"),
      runHere(["webhooks", "chek"]),
      check("--timeout", "soon"),
    ]);
    expect([option.code, command.code, timeout.code]).toEqual([2, 2, 2]);
    expect(timeout.stderr).toMatch(/--timeout[\s\S]*A timeout is a duration/);
    expect(option.stderr).toMatch(/--form[\s\S]*standin webhooks check --help/);
  });
});

test("standin webhooks check --help shows usage and examples", async () => {
  const { code, stdout } = await check("--help");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Usage: standin webhooks check \[options\] \[url\]\n[\s\S]*Examples:\n {2}\$ standin web/,
  );
});
