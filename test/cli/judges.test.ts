/** The exit code of every command that judges: of what is right, of what is wrong, and when nothing was tried. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { exitCodes } from "../../src/cli/errors.js";
import { pact } from "../pact/verify/pacts.js";
import { secret, startFaulty } from "../receiver-check/faulty-receivers.js";
import { freshFolder } from "../support/folder.js";
import { call, useListeningSandbox } from "../support/sandbox.js";
import { client } from "./client-programs.js";
import { runHere } from "./run-here.js";
import { met, wrong } from "./verify/run-verify.js";

const sandbox = useListeningSandbox();

/** Returns the arguments of a command in a folder. */
type Arguments = (folder: string) => readonly string[] | Promise<readonly string[]>;

interface Judge {
  right: Arguments;
  wrong: Arguments;
  untried: Arguments;
}

/** Writes a file of the folder, and returns its name. */
function write(folder: string, name: string, content: string | object): string {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

const scenario =
  (...steps: object[]): Arguments =>
  (folder) => ["scenario", "run", write(folder, "story.json", { name: "Story", steps })];
const readsBalance = (currency: string) => ({ call: "GET /v1/balance", expect: { body: { currency } } });

const verify =
  (...interactions: Parameters<typeof pact>[0][number][]): Arguments =>
  (folder) => ["verify", write(folder, "shop.json", pact(interactions))];

const check =
  (behaviour: Parameters<typeof startFaulty>[0]): Arguments =>
  async () => {
    const receiver = await startFaulty(behaviour);
    onTestFinished(() => receiver.close());
    return [
      ...["webhooks", "check", receiver.url],
      ...["--secret", secret, "--timeout", "300ms", "--only", "forged/wrong,event/payout.paid"],
    ];
  };

const exec =
  (flags: readonly string[], code: string): Arguments =>
  () => ["exec", "--no-summary", ...flags, "--", ...client(code)];
const fails = ["--conduct", "fail"];
const minimum = (percent: number) => ["--min-coverage", `operations=${percent}`];

/** Merges the coverage of an account with one that has made no request. */
const merge =
  (percent: number, reads: boolean): Arguments =>
  async (folder) => {
    const [used, unused] = [sandbox.account(), sandbox.account()];
    if (reads) await call(used, "GET", "/v1/balance");
    const [one, other] = [await used.coverage(), await unused.coverage()];
    const files = [write(folder, "one.json", one), write(folder, "other.json", other)];
    return ["coverage", "merge", ...files, ...minimum(percent)];
  };

const vary =
  (code: string): Arguments =>
  () => ["assumptions", "--vary", "--only", "http.created", "--", ...client(code)];

const exam =
  (only: string, code: string): Arguments =>
  () => ["exam", "--jobs", "1", "--only", only, "--", ...client(code)];

const judges: Record<string, Judge> = {
  "scenario run": {
    right: scenario(readsBalance("NGN")),
    wrong: scenario(readsBalance("USD")),
    untried: scenario(),
  },
  verify: { right: verify(met), wrong: verify(wrong), untried: verify() },
  "webhooks check": {
    right: check("right"),
    wrong: check("does not look at signatures"),
    untried: check("hangs"),
  },
  "exec --min-coverage": {
    right: exec(minimum(1), "await startPhone();"),
    wrong: exec(minimum(40), "await startPhone();"),
    untried: exec(minimum(0), ""),
  },
  "exec --conduct fail": {
    right: exec(fails, "await startPhone();"),
    wrong: exec(fails, `await post("/v1/business/charges", { amount: "5000" });`),
    untried: exec(fails, ""),
  },
  "coverage merge": { right: merge(1, true), wrong: merge(40, true), untried: merge(1, false) },
  "assumptions --vary": {
    right: vary("await startPhone();"),
    wrong: vary("if ((await startPhone()).status !== 201) process.exit(5);"),
    untried: vary(""),
  },
  exam: {
    right: exam("absorbed/getBalance/unknown-field", `await get("/v1/balance");`),
    wrong: exam(
      "absorbed/getBalance/rate-limited",
      `const { balance } = await (await get("/v1/balance")).json(); if (typeof balance !== "number") process.exit(5);`,
    ),
    untried: exam("absorbed", ""),
  },
};

describe("green means tried and right", () => {
  test.each(Object.entries(judges))("standin %s", async (_name, judge) => {
    const codeOf = async (of: keyof Judge) => {
      const folder = freshFolder();
      const { code, stdout, stderr } = await runHere(await judge[of](folder), folder);
      return { code, said: stdout + stderr };
    };
    const [right, bad, untried] = [await codeOf("right"), await codeOf("wrong"), await codeOf("untried")];
    expect(right.code, right.said).toBe(exitCodes.passed.code);
    expect(bad.code, bad.said).toBe(exitCodes.failed.code);
    expect(untried.code, untried.said).toBe(exitCodes.notTried.code);
    expect(untried.said).toMatch(/nothing (?:was tried|called the service)|no request has passed/i);
  });
});

describe("nothing is green that tried nothing", () => {
  test("coverage merge of reports that have no operations", async () => {
    const { summary, ...report } = await sandbox.account().coverage();
    const operations = { ...summary.operations, total: 0, exercised: 0 };
    const folder = freshFolder();
    const bare = { ...report, summary: { ...summary, operations }, operations: [] };
    const files = [write(folder, "one.json", bare), write(folder, "other.json", bare)];
    const { code, stderr } = await runHere(["coverage", "merge", ...files], folder);
    expect([code, stderr]).toEqual([
      exitCodes.notTried.code,
      expect.stringContaining("nothing was tried: the reports have no operations"),
    ]);
  });

  test("assumptions --vary of a command that none of the assumptions concerns", async () => {
    const { code, stderr } = await runHere(await vary(`await get("/v1/balance");`)(freshFolder()));
    expect([code, stderr]).toEqual([
      exitCodes.notTried.code,
      expect.stringContaining("the requests of the command involve none of these assumptions"),
    ]);
  });
});
