/** Runs every command block of README.md and docs/, and checks that the pages show what the sandbox does. */
import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import request from "supertest";
import { describe, expect, onTestFinished, test } from "vitest";
import { exitCodes } from "../src/cli/errors.js";
import { withCoverageTotals } from "../src/documents/contracts.js";
import { createSandbox, startSandbox } from "../src/index.js";
import { runHere } from "./cli/run-here.js";
import { spawnStandin } from "./cli/spawned-program.js";
import { freshFolder } from "./support/folder.js";
import { run } from "./support/package.js";
import { answersAt, freePort } from "./support/port.js";
import { type Finished, programFile, startProgram } from "./support/program.js";
import { startReceiver as receiveWebhooks } from "./support/receiver.js";
import { call, post, useListeningSandbox } from "./support/sandbox.js";
import { until } from "./support/until.js";

const sandbox = useListeningSandbox();
const pages = ["README.md", ...readdirSync("docs").map((name) => `docs/${name}`)];
const textOf = (page: string): string => readFileSync(page, "utf8");

const blocksOf = (page: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text]) => text as string,
  );

/** Commands that call npm or another language, which .ci/run and the tests of the examples run. */
const runsElsewhere = (block: string): boolean => /^npm (?:ci|install) |^cp -r standin\//m.test(block);
const isStart = (line: string): boolean => line.startsWith("npx standin start ");

/** A folder with the files of the clone that the pages name. */
function workingFolder(): string {
  const folder = freshFolder();
  mkdirSync(join(folder, "scenarios"));
  copyFileSync("scenarios/payout-rejected.yaml", join(folder, "scenarios/payout-rejected.yaml"));
  cpSync("fixtures/files", join(folder, "fixtures/files"), { recursive: true });
  return folder;
}

/** Starts the receiver in examples/receivers with the secret that the pages show. */
async function startReceiver(): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, WEBHOOK_SECRET: "whsec_...", PORT: String(port) };
  const receiver = spawn(process.execPath, ["examples/receivers/receiver.mjs"], { env, stdio: "ignore" });
  onTestFinished(() => void receiver.kill());
  await until("the receiver listens", () => answersAt(port));
  return port;
}

describe("every command block runs", () => {
  const runnable = pages.filter((page) => blocksOf(page, "sh").some((block) => !runsElsewhere(block)));

  test.each(runnable)("%s", async (page) => {
    const lines = blocksOf(page, "sh")
      .filter((block) => !runsElsewhere(block))
      .flatMap((block) => block.split("\n"));
    for (const line of lines.filter(isStart)) {
      const flags = line
        .split(" ")
        .slice(3)
        .join(" ")
        .replace(/--port \d+/, "")
        .trim()
        .split(/ +/);
      const program = await startProgram(["--memory", ...flags]);
      expect(await program.stop()).toBe(0);
    }
    const folder = workingFolder();
    const script = lines.filter((line) => !isStart(line)).join("\n");
    const port = script.includes("127.0.0.1:3000") ? await startReceiver() : 0;
    const addressed = script
      .replaceAll("http://127.0.0.1:4010", sandbox.url)
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`);
    for (const part of partsOf(addressed)) {
      const { code, stdout, stderr } = await runPart(part, folder);
      expect(code, part + stdout + stderr).toBe(0);
    }
  });
});

/** A command of the program that needs no shell. */
const plainCommand = /^npx standin ([\w./:= -]+)( \|\| true)?$/;

/** Splits a script into plain commands and what is between them. */
function partsOf(script: string): string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const line of script.split("\n")) {
    const isPlain = plainCommand.test(line);
    if (isPlain || !isOpen) parts.push(line);
    else parts.push(`${parts.pop()}\n${line}`);
    isOpen = !isPlain;
  }
  return parts.filter((part) => part.trim() !== "");
}

/** Runs plain commands in this process, and everything else in a shell. */
async function runPart(part: string, folder: string): Promise<Finished> {
  const environment = { STANDIN_URL: sandbox.url };
  const [, words, mayFail] = plainCommand.exec(part) ?? [];
  if (words !== undefined) {
    const finished = await runHere(words.split(" "), folder, environment);
    return mayFail === undefined ? finished : { ...finished, code: 0 };
  }
  const functions = [
    'curl() { command curl --silent --show-error --fail-with-body "$@"; }',
    `npx() { shift; "${process.execPath}" "${programFile}" "$@"; }`,
  ];
  return run(["bash", "-e", "-o", "pipefail", "-c", [...functions, part].join("\n")], folder, environment);
}

test("the listener of docs/webhooks.md forwards events, until it is stopped", async () => {
  const [command = ""] = /^npx standin listen .*$/m.exec(textOf("docs/webhooks.md")) ?? [];
  const { url, got, close } = await receiveWebhooks();
  onTestFinished(close);
  const args = command
    .replace("http://127.0.0.1:3000/webhooks", url)
    .replace("https://sandbox.example", sandbox.url)
    .split(/ +/);
  expect(args.splice(0, 2)).toEqual(["npx", "standin"]);
  const account = sandbox.account();
  const { child, waitFor, exitCode } = spawnStandin([...args, "--key", account.key]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await waitFor(/whsec_/);
  await account.events.trigger("payout.paid");
  const [delivery] = await got(1);
  expect(JSON.parse(String(delivery?.body))).toMatchObject({ event: "payout.paid" });
  child.kill("SIGINT");
  expect(await exitCode).toBe(0);
});

test("docs/cli.md lists every flag of start, and no others", async () => {
  const { stdout } = await runHere(["start", "--help-all"]);
  const flags = (text: string) =>
    new Set([...text.matchAll(/^\s*(?:\| `)?(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag));
  expect(flags(textOf("docs/cli.md"))).toEqual(
    new Set([...flags(stdout)].filter((flag) => !flag?.startsWith("--help"))),
  );
});

test("docs/cli.md has the exit codes and what they mean, as --help has them", () => {
  const [, table = ""] = textOf("docs/cli.md").split("## Exit codes");
  const rows = [...table.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(rows).toEqual(Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]));
});

test("the totals of the coverage in docs/testing-reference.md are those of the sandbox (npm run contracts writes them)", async () => {
  const { summary } = await sandbox.account().coverage();
  const text = textOf("docs/testing-reference.md");
  expect(withCoverageTotals(text)).toBe(text);
  for (const [kind, { total }] of Object.entries(summary))
    expect(text).toMatch(new RegExp(`^Coverage of the service: .*${kind} \\d+ of ${total}\\b`, "m"));
});

test("the README has at most 150 lines", () => {
  expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test("the replies in the README have the fields of real ones", async () => {
  const account = sandbox.account();
  const [shownStart, shownMessage] = blocksOf("README.md", "json").map((text) => JSON.parse(text));
  const start = await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  expect(Object.keys(start.body)).toEqual(Object.keys(shownStart));
  expect(Object.keys(await account.inbox.wait({ to: "08031234567" }))).toEqual(Object.keys(shownMessage));
});

test("the reply in docs/identity.md is the service's", async () => {
  const [shown] = blocksOf("docs/identity.md", "json").map((text) => JSON.parse(text));
  const body = { bvn: "22301948576", first_name: "Adaeze", last_name: "Okafor" };
  const reply = await post(sandbox.account(), "/v1/verify/bvn", body);
  expect(reply.body).toEqual({ ...shown, id: reply.body.id });
});

/** Runs lines of a page as the body of a function with these names. */
function runLines(lines: string, names: Readonly<Record<string, unknown>>): Promise<void> {
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  return new AsyncFunction(...Object.keys(names), lines)(...Object.values(names));
}

test("the test in the README passes", async () => {
  class MyClient {
    constructor(readonly service: { baseUrl: string; key: string }) {}
    async startPhoneVerification(phone: string): Promise<void> {
      const { baseUrl, key } = this.service;
      const headers = { "X-Service-Key": key, "Content-Type": "application/json" };
      const body = JSON.stringify({ phone });
      const reply = await fetch(`${baseUrl}/v1/phone/verify/start`, { method: "POST", headers, body });
      expect(reply.status).toBe(201);
    }
  }
  const [, lines = ""] = /^import .*\n\n([\s\S]*)$/.exec(blocksOf("README.md", "ts")[0] ?? "") ?? [];
  await runLines(lines, { startSandbox, MyClient });
});

test("the createSandbox example in docs/testing-recipes.md runs", async () => {
  const lines =
    blocksOf("docs/testing-recipes.md", "js").find((text) => text.includes("createSandbox()")) ?? "";
  expect(lines).not.toBe("");
  const shop = express();
  await runLines(`${lines}\nawait sandbox.close();`, { createSandbox, request, shop });
});

test("the signature check in docs/webhooks.md accepts genuine deliveries and no others", async () => {
  const source = blocksOf("docs/webhooks.md", "js").find((text) => text.includes("isGenuine")) as string;
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const account = sandbox.account();
  const { secret } = (await call(account, "POST", "/v1/webhooks", { url: "http://127.0.0.1:9/" })).body;
  await account.events.trigger("payout.paid");
  await account.advance("1m");
  const [attempt] = (await account.deliveries.list())[0]?.attempts ?? [];
  const signature = attempt?.request_headers["X-Service-Signature"];
  expect(isGenuine(attempt?.request_body, signature, secret)).toBe(true);
  expect(isGenuine(`${attempt?.request_body} `, signature, secret)).toBe(false);
});

test("relative links in the pages lead to existing files", () => {
  for (const page of pages)
    for (const [, path = ""] of textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(() => readFileSync(join(page, "..", path)), `${page}: ${path}`).not.toThrow("ENOENT");
});
