import { describe, expect, test, vi } from "vitest";
import { programFile, runProgram } from "../support/program.js";
import { attendOnTerminal, attendStandin } from "./attended.js";
import { hasTerminals } from "./clients.js";
import { standin, useProgram } from "./commanded.js";

const program = useProgram();
const colour = /\u001b\[\d/;

async function valuesWith(environment: Record<string, string>): Promise<string> {
  for (const [name, value] of Object.entries({ NO_COLOR: "", FORCE_COLOR: "", ...environment }))
    vi.stubEnv(name, value);
  return standin(program.account(), "values", "verifyBvn").finally(() => vi.unstubAllEnvs());
}

describe("colours", () => {
  test("stay out of pipes, also where CI is set", async () => {
    expect(await valuesWith({ CI: "true" })).not.toMatch(colour);
  });

  test("are for pipes too where FORCE_COLOR asks for them, unless it says 0", async () => {
    expect(await valuesWith({ FORCE_COLOR: "1" })).toMatch(colour);
    expect(await valuesWith({ FORCE_COLOR: "0" })).not.toMatch(colour);
  });

  test("are nowhere where NO_COLOR is set", async () => {
    expect(await valuesWith({ NO_COLOR: "1", FORCE_COLOR: "1" })).not.toMatch(colour);
  });

  test.skipIf(!hasTerminals)("are on terminals, unless NO_COLOR is set", async () => {
    const { baseUrl } = program.account();
    const line = `${process.execPath} ${programFile} values verifyBvn --url ${baseUrl}`;
    const [plain, coloured] = [
      attendOnTerminal(`env NO_COLOR=1 ${line}`),
      attendOnTerminal(`env -u NO_COLOR ${line}`),
    ];
    await Promise.all([plain.ended, coloured.ended]);
    expect(plain.stdout()).toContain("verifyBvn");
    expect(plain.stdout()).not.toMatch(colour);
    expect(coloured.stdout()).toMatch(colour);
  });
});

describe("a wait of more than a second", () => {
  const command = ["assumptions", "--vary", "--only", "http.created", "--", "sleep", "2.5"];

  test.skipIf(!hasTerminals)(
    "is told on a terminal with what it waits for and how long, and leaves nothing behind",
    async () => {
      const { ended, stdout } = attendOnTerminal(
        ["env NO_COLOR=1", process.execPath, programFile, ...command].join(" "),
      );
      expect(await ended).toBe(0);
      const [before, first, second, ...after] = stdout().split("\r\u001b[K");
      expect([before, first, second]).toEqual([
        "",
        "Waiting for the run with the defaults, 1 s",
        "Waiting for the run with the defaults, 2 s",
      ]);
      expect(after.join("")).toMatch(/^assumption/);
      expect(after.join("")).not.toContain("Waiting");
    },
  );

  test("is not told elsewhere", async () => {
    const { ended, stderr } = attendStandin(command);
    expect([await ended, stderr()]).toEqual([0, ""]);
  });
});

describe("where nobody reads to the end", () => {
  test.each([[["--help"]], [["exec", "--help"]], [["--version"]], [["verify", "--states"]]])(
    "nothing is wrong: %j",
    async (args) => {
      const { child, ended, stderr } = attendStandin(args);
      child.stdout?.destroy();
      expect([await ended, stderr()]).toEqual([0, ""]);
    },
  );

  test("a command line that is wrong still ends with 2", async () => {
    const { child, ended } = attendStandin(["inbx"]);
    child.stderr?.destroy();
    expect(await ended).toBe(2);
  });
});

describe("every command", async () => {
  const { stdout } = await runProgram(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name as string);
  // What stands in groups of its own has its options at the commands below.
  const groups = await Promise.all(
    names
      .filter((name) => name !== "help")
      .map(async (name) => ({ name, help: (await runProgram([name, "--help"])).stdout })),
  );

  test.each(groups.filter(({ help }) => !/^Commands:/m.test(help)))(
    "$name takes --json and shows examples",
    ({ name, help }) => {
      expect(help).toMatch(/^ {2}--json /m);
      expect(help).toMatch(new RegExp(`Examples:\\n(?: {2}\\$ .*\\n)*.*standin ${name}`));
    },
  );
});
