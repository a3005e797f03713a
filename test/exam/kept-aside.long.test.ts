/** Clients of kept-aside-2.tar.gz: the exam finds their bugs, and accuses none that is right. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/program.js";
import { isLong } from "../support/repetitions.js";
import { skipWithout, type Toolchain } from "../support/toolchains.js";
import { examine } from "./corpus.js";

interface KeptClient {
  name: string;
  folder: string;
  language: "node" | "python" | "php" | "go" | "java";
  expected: "bug" | "right";
  /** Command that builds it. */
  prepare: [string, ...string[]] | null;
  /** Command that runs its tests. */
  test: string[];
}

const folder = temporaryFolder();
execFileSync("tar", [
  "xzf",
  join(import.meta.dirname, "kept-aside-2.tar.gz"),
  "--strip-components=1",
  "-C",
  folder,
]);
const all: readonly KeptClient[] = JSON.parse(readFileSync(join(folder, "apps.json"), "utf8"));

const toolchains: Readonly<Record<KeptClient["language"], Toolchain | null>> = {
  node: null,
  python: "python",
  php: "php",
  go: "go",
  java: "java",
};

/** Clients of every run: two with a bug and two that are right. */
const usual = ["chat-login", "savings-circle", "kyc-desk", "wages-checkpoints"];

/** Bugs that the exam does not find, with the reason. */
const missed: Readonly<Record<string, string>> = {};

/** Right clients that the exam accuses, with the reason. */
const accused: Readonly<Record<string, string>> = {};

const examined = all.filter(
  ({ name }) => !(name in missed) && !(name in accused) && (isLong || usual.includes(name)),
);

test.for(examined)("the exam judges $name, whose expected verdict is $expected", async (client, { skip }) => {
  const toolchain = toolchains[client.language];
  if (toolchain) skipWithout(toolchain, skip);
  const cwd = join(folder, client.folder);
  if (client.prepare) execFileSync(client.prepare[0], client.prepare.slice(1), { cwd });
  const { card } = await examine(client.test, ["--budget", isLong ? "10m" : "30s"], cwd);
  expect(card.tried.length).toBeGreaterThan(0);
  if (client.expected === "right") expect(card.findings.map(({ title }) => title)).toEqual([]);
  else expect(card.findings).not.toEqual([]);
});
