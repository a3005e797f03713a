import { describe, expect, test, vi } from "vitest";
import { programFile } from "../support/program.js";
import { isLong } from "../support/repetitions.js";
import { hasTerminals } from "./client-programs.js";
import { runHere } from "./run-here.js";
import { spawnOnTerminal, spawnStandin } from "./spawned-program.js";
import { standin, useProgram } from "./use-program.js";

const program = useProgram();
const colour = /\u001b\[\d/;

async function valuesWith(environment: Record<string, string>): Promise<string> {
  // Node 22 and 24 themselves warn if both variables are there.
  const all = { NO_COLOR: "", FORCE_COLOR: "", NODE_NO_WARNINGS: "1", ...environment };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  return standin(program.account(), "values", "verifyBvn").finally(() => vi.unstubAllEnvs());
}

describe("colours", () => {
  test("are not sent to pipes, even if CI is set", async () => {
    expect(await valuesWith({ CI: "true" })).not.toMatch(colour);
  });

  test("are sent to pipes if FORCE_COLOR is set and not 0", async () => {
    expect(await valuesWith({ FORCE_COLOR: "1" })).toMatch(colour);
    expect(await valuesWith({ FORCE_COLOR: "0" })).not.toMatch(colour);
  });

  test("are never sent if NO_COLOR is set", async () => {
    expect(await valuesWith({ NO_COLOR: "1", FORCE_COLOR: "1" })).not.toMatch(colour);
  });

  test.skipIf(!hasTerminals)("are sent to terminals unless NO_COLOR is set", async () => {
    const { baseUrl } = program.account();
    const line = `${process.execPath} ${programFile} values verifyBvn --url ${baseUrl}`;
    const [plain, coloured] = [
      spawnOnTerminal(`env NO_COLOR=1 ${line}`),
      spawnOnTerminal(`env -u NO_COLOR ${line}`),
    ];
    await Promise.all([plain.exitCode, coloured.exitCode]);
    expect(plain.stdout()).toContain("verifyBvn");
    expect(plain.stdout()).not.toMatch(colour);
    expect(coloured.stdout()).toMatch(colour);
  });
});

describe("a wait of more than a second", () => {
  const command = ["assumptions", "--vary", "--only", "http.created", "--", "sleep", "2.5"];

  test.skipIf(!hasTerminals)("is shown on a terminal with its reason and duration, and cleared", async () => {
    const { exitCode, stdout } = spawnOnTerminal(
      ["env NO_COLOR=1", process.execPath, programFile, ...command].join(" "),
    );
    expect(await exitCode).toBe(3);
    const [before, first, second, ...after] = stdout().split("\r\u001b[K");
    expect([before, first, second]).toEqual([
      "",
      "Waiting for the run with the defaults (1 s)",
      "Waiting for the run with the defaults (2 s)",
    ]);
    expect(after.join("")).toMatch(/^standin: nothing called the service/);
    expect(after.join("")).not.toContain("Waiting");
  });

  test("is not shown elsewhere", async () => {
    const { code, stderr } = await runHere(command);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^standin: nothing called the service.*\n$/)]);
  });
});

describe("when the reader closes the pipe", () => {
  // Commander prints the other texts in the same way.
  const printedByCommander = [["--help"], ...(isLong ? [["exec", "--help"], ["--version"]] : [])];
  test.each([...printedByCommander, ["verify", "--states"]].map((args) => [args]))(
    "a command succeeds: %j",
    async (args) => {
      const { child, exitCode, stderr } = spawnStandin(args);
      child.stdout?.destroy();
      expect([await exitCode, stderr()]).toEqual([0, ""]);
    },
  );

  test("an invalid command line still exits with 2", async () => {
    const { child, exitCode } = spawnStandin(["inbx"]);
    child.stderr?.destroy();
    expect(await exitCode).toBe(2);
  });
});

describe("every command", async () => {
  const { stdout } = await runHere(["help", "--all"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name as string);
  // Command groups have their options at the subcommands.
  const groups = await Promise.all(
    names
      .filter((name) => name !== "help")
      .map(async (name) => ({
        name,
        help: (await runHere([name, name === "start" ? "--help-all" : "--help"])).stdout,
      })),
  );

  const commands = groups.filter(({ help }) => !/^Commands:/m.test(help));
  // The stdout of mcp carries a protocol, whose messages are always JSON.
  const withResult = commands.filter(({ name }) => name !== "mcp");

  test.each(withResult)("$name takes --json", ({ help }) => {
    expect(help).toMatch(/^ {2}--json /m);
  });

  test.each(commands)("$name shows examples", ({ name, help }) => {
    expect(help).toMatch(new RegExp(`Examples:\\n(?: {2}\\$ .*\\n)*.*standin ${name}`));
  });
});
