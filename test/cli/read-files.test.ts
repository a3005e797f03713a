/** The files that commands read: in the encodings that editors and shells write, empty, missing, or a folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder } from "../support/folder.js";
import type { Finished } from "../support/program.js";
import { call, useListeningSandbox } from "../support/sandbox.js";
import { runHere } from "./run-here.js";
import { connectionTo } from "./use-program.js";

const sandbox = useListeningSandbox();

/** The encodings in which the editors and shells of Windows write text. */
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  "UTF-8 with a byte order mark": (text) => Buffer.from(`\ufeff${text}`),
  "UTF-16, little-endian": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "UTF-16, big-endian": (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
};

const checkedAt = new Date().toISOString();
const lock = {
  version: 1,
  against: "https://api.example.com",
  assumptions: {
    "http.created": { verdict: "confirmed", observed: "ok", checked_at: checkedAt, evidence: [] },
  },
  operations: {},
};

interface ReadFile {
  /** How messages name it. `FILE` stands for the path. */
  readonly name: string;
  readonly file: string;
  write(): Promise<string> | string;
  /** Arguments of a command that reads it. `folder` has a config and a lock that fit each other. */
  args(file: string): string[] | Promise<string[]>;
  /** What the command prints if it has read the file. */
  readonly prints: RegExp;
}

const used = async () => {
  const account = sandbox.account();
  await call(account, "GET", "/v1/balance");
  return account;
};

const files: Readonly<Record<string, ReadFile>> = {
  "the config": {
    name: "the config file FILE",
    file: "given.json",
    write: () => '{"assumptions":{"http.created":"ok"}}',
    args: (file) => ["drift", "--check", "--config", file],
    prints: /nothing contradicts it/,
  },
  "the lock of drift": {
    name: "the lock file FILE",
    file: "given.lock.json",
    write: () => JSON.stringify(lock),
    args: (file) => ["drift", "--diff", file],
    prints: /have observed the same/,
  },
  "a coverage report": {
    name: "the coverage report FILE",
    file: "coverage.json",
    write: async () => JSON.stringify(await (await used()).coverage()),
    args: (file) => ["coverage", "merge", file],
    prints: /operations 1 of \d+/,
  },
  "a snapshot": {
    name: "the snapshot FILE",
    file: "state.json",
    write: async () => (await (await used()).fetch("/_sandbox/snapshot")).text(),
    args: (file) => ["restore", file, ...connectionTo(sandbox.account())],
    prints: /The clock is stopped at/,
  },
  "an HTTP archive": {
    name: "FILE",
    file: "calls.har",
    write: async () => (await (await used()).fetch("/_sandbox/export/har")).text(),
    args: (file) => ["scenario", "record", "--from-har", file],
    prints: /GET \/v1\/balance/,
  },
  "a scenario": {
    name: "FILE",
    file: "story.yaml",
    write: () => "name: Story\nsteps: [{ call: GET /v1/balance }]\n",
    args: (file) => ["scenario", "check", file],
    prints: /^1 scenario checked, no errors/,
  },
  "a package.json": {
    name: "package.json",
    file: "package.json",
    write: () => '{"name":"shop"}',
    args: () => ["init", "--dry-run"],
    prints: /^This is an npm project/,
  },
};

/** Runs the command on a file with these bytes, in a folder that has a lock for the config. */
async function run({ file, args }: ReadFile, bytes: Uint8Array | null): Promise<Finished> {
  const folder = freshFolder();
  for (const name of ["drift.lock.json", "standin.config.json"])
    writeFileSync(join(folder, name), JSON.stringify(name.startsWith("drift") ? lock : {}));
  if (bytes === null) mkdirSync(join(folder, file));
  else writeFileSync(join(folder, file), bytes);
  return runHere(await args(file), folder);
}

describe.each(Object.entries(files))("%s", (_what, given) => {
  const name = given.name.replace("FILE", given.file);

  test.each(Object.entries(encodings))("is read in %s", async (_encoding, encode) => {
    const { code, stdout, stderr } = await run(given, encode(await given.write()));
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringMatching(given.prints)]);
  });

  test.each(["", "\ufeff", " \n"])("is called empty if it has no more than %j", async (text) => {
    const { code, stdout, stderr } = await run(given, Buffer.from(text));
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toMatch(/^[^\n]* is empty\n$/);
    expect(`${stdout}${stderr}`).toContain(given.file);
  });

  test("is refused in plain words if it is a folder", async () => {
    const { code, stdout, stderr } = await run(given, null);
    expect([code, stdout, stderr]).toEqual([2, "", `standin: ${name} cannot be read: it is a folder\n`]);
  });
});

test("a file that does not exist is named, in plain words", async () => {
  for (const [args, name] of [
    [["coverage", "merge", "none.json"], "the coverage report none.json"],
    [["restore", "none.json"], "the snapshot none.json"],
    [["open", "none.zip"], "the bundle none.zip"],
    [["start", "--config", "none.json"], "the config file none.json"],
    [["scenario", "check", "none.yaml"], "none.yaml"],
    [["verify", "none.json"], "none.json"],
  ] as const) {
    const { code, stderr } = await runHere(args);
    expect([code, stderr]).toEqual([2, `standin: ${name} cannot be read: there is no such file or folder\n`]);
  }
});
