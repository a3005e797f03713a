import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CoverageReport, SandboxAccount } from "../../../src/index.js";
import { operationIds } from "../../../src/service/index.js";
import { temporaryFolder } from "../../support/program.js";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { runHere } from "../run-here.js";

const sandbox = useSandbox();

/** Two reports of one account each: of a code that was sent, and of a balance that was read twice. */
async function reports(): Promise<{ folder: string; files: string[]; of: CoverageReport[] }> {
  const folder = temporaryFolder();
  const starts = (account: SandboxAccount) =>
    post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  const reads = (account: SandboxAccount) => call(account, "GET", "/v1/balance");
  const of = [await reportOf(starts), await reportOf(reads, reads, starts)];
  const files = of.map((report, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, JSON.stringify(report));
    return file;
  });
  return { folder, files, of };
}

async function reportOf(
  ...calls: ((account: SandboxAccount) => Promise<unknown>)[]
): Promise<CoverageReport> {
  const account = sandbox.account();
  for (const make of calls) await make(account);
  return account.coverage();
}

const merge = (...args: string[]) => runHere(["coverage", "merge", ...args]);

describe("standin coverage merge", () => {
  test("adds the counts of the reports, and sums up what all of them exercised", async () => {
    const { files } = await reports();
    const { code, stdout } = await merge(...files, "--json");
    expect(code).toBe(0);
    const sum: CoverageReport = JSON.parse(stdout);
    const counted = sum.operations.filter(({ calls }) => calls > 0);
    expect(counted.map(({ operation, calls, statuses }) => [operation, calls, statuses])).toEqual([
      ["startPhoneVerification", 2, { 201: 2 }],
      ["getBalance", 2, { 200: 2 }],
    ]);
    expect(sum.operations).toHaveLength(operationIds.length);
    expect(sum.summary.operations).toEqual({ exercised: 2, total: operationIds.length });
    const sent = sum.operations.flatMap(({ outcomes }) => outcomes).find(({ name }) => name === "sent");
    expect(sent?.count).toBe(2);
    expect(sum.transitions.find(({ machine }) => machine === "phone_verification")?.count).toBe(2);
  });

  test("of one report is that report, and its file can be merged again", async () => {
    const { folder, files, of } = await reports();
    const out = join(folder, "sums/all.json");
    await merge(files[1] as string, "--coverage", out);
    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual(of[1]);
    expect((await merge(out, files[0] as string)).stdout).toMatch(
      /^Coverage of the service: operations 2 of \d+, outcomes \d+ of \d+/,
    );
  });

  test("adds statuses whatever their names are", async () => {
    const { folder, of } = await reports();
    const [report] = of as [CoverageReport];
    const [operation] = report.operations as [CoverageReport["operations"][number]];
    const named: [string, number][] = [
      ["constructor", 1],
      ["__proto__", 2],
    ];
    const files = [[], named, named].map((statuses, index) => {
      const file = join(folder, `named-${index}.json`);
      const counted = { ...operation, statuses: Object.fromEntries(statuses) };
      writeFileSync(file, JSON.stringify({ ...report, operations: [counted] }));
      return file;
    });
    const { stdout } = await merge(...files, "--json");
    const statuses = JSON.parse(stdout).operations[0].statuses;
    expect(Object.entries(statuses)).toEqual(named.map(([name, count]) => [name, 2 * count]));
  });

  test("fails below a minimum, and says by how much", async () => {
    const { folder, files } = await reports();
    const [junit, summary] = [join(folder, "coverage.xml"), join(folder, "coverage.md")];
    const minimum = ["--min-coverage", "operations=2.5,outcomes=20", "--junit", junit, "--markdown", summary];
    const { code, stderr } = await merge(...files, ...minimum);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^standin: the coverage of the service is too low: outcomes 0\.\d% \(\d of \d+\), at least 20%\n$/,
    );
    const xml = readFileSync(junit, "utf8");
    expect(xml).toContain(
      '<testcase classname="coverage" name="operations: at least 2.5%" time="0"></testcase>',
    );
    expect(xml).toMatch(/name="outcomes: at least 20%" time="0"><failure message="outcomes 0/);
    const markdown = readFileSync(summary, "utf8");
    expect(markdown).toMatch(/^\| operations \| 2 of \d+ \| \d\.\d% \| 2\.5% \|$/m);
    expect(markdown).toMatch(/\| outcomes \| \d of \d+ \| 0\.\d% \| 20% \(missed\) \|/);
    expect((await merge(...files, "--min-coverage", "operations=2.5")).code).toBe(0);
  });

  test("adds its summary to what earlier commands have written to the summary of a GitHub job", async () => {
    const { folder, files } = await reports();
    const [step, other] = [join(folder, "step.md"), join(folder, "other.md")];
    for (const file of [step, other]) writeFileSync(file, "<details>Earlier</details>");
    const inJob = (file: string) =>
      runHere(["coverage", "merge", ...files, "--markdown", file], folder, { GITHUB_STEP_SUMMARY: step });
    await inJob("step.md");
    expect(readFileSync(step, "utf8")).toMatch(
      /^<details>Earlier<\/details>\n\n### Coverage of the service\n\n\|[\s\S]*<\/details>\n$/,
    );
    await inJob(other);
    expect(readFileSync(other, "utf8")).toMatch(/^### Coverage of the service\n/);
    expect(readFileSync(step, "utf8").split("### Coverage of the service")).toHaveLength(3);
  });

  test.each([
    ["{", "is not a coverage report of this version"],
    ["{}", "summary is required"],
    ['{"summary": 1}', "is not a coverage report"],
  ])("refuses a file with %s", async (text, problem) => {
    const file = join(temporaryFolder(), "other.json");
    writeFileSync(file, text);
    const { code, stderr } = await merge(file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(problem)]);
  });

  test("names a file that does not exist", async () => {
    const { code, stderr } = await merge("nowhere.json");
    expect([code, stderr]).toEqual([2, expect.stringContaining("nowhere.json cannot be read")]);
  });

  test.each(["operations", "operations=101", "calls=5", "operations=-1", ""])(
    "refuses the minimum %j and names what is right",
    async (minimum) => {
      const { code, stderr } = await merge("a.json", "--min-coverage", minimum);
      expect(code).toBe(2);
      expect(stderr).toContain("percentages of operations, outcomes, transitions, events, such as");
    },
  );
});
