import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { eventKinds } from "../../src/service/webhooks/events.js";
import { optionsOf } from "../support/command-options.js";
import { programFile, temporaryFolder } from "../support/program.js";
import { runHere } from "./run-here.js";

/** A program that hangs would stop the worker of all tests: no limit of a test ends a synchronous call. */
const timeout = 60_000;

const standin = async (...args: string[]): Promise<string> => (await runHere(args)).stdout;

/** A folder for PATH that has the program as `standin`. */
const installed = temporaryFolder();
symlinkSync(programFile, join(installed, "standin"));
const env = { ...process.env, PATH: `${installed}:${process.env.PATH}` };

/** Returns the completions that a real bash offers for a partial line. */
function completed(line: string): string[] {
  const ask = `
    source ${script}
    COMP_LINE=$1 COMP_POINT=\${#1}
    $(complete -p standin | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync("bash", ["-c", ask, "bash", line], {
    encoding: "utf8",
    cwd: temporaryFolder(),
    env,
    timeout,
  });
  return output.split("\n").filter(Boolean);
}

const script = join(temporaryFolder(), "standin.bash");
beforeAll(async () => writeFileSync(script, await standin("completion", "bash")));

/** Commands and options as the help lists them. */
const listed = (help: string) => [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name as string);
const commands = listed(await standin("help", "--all"));

test.each(commands.filter((name) => name !== "help"))(
  "the options of %s are those of its help",
  async (name) => {
    expect(new Set(await offered(`standin ${name} --`))).toEqual(optionsOf(name));
  },
);

/** Returns the words that can stand at the end of a line, without their descriptions. */
async function offered(line: string): Promise<string[]> {
  const offers = (await standin("complete", line)).split("\n").filter(Boolean);
  return offers.map((offer) => offer.replace(/\t.*/, ""));
}

describe("at the end of a line", () => {
  test.each<[string, string[]]>([
    ["standin start --durability ", ["process", "power"]],
    ["standin start --durability=po", ["--durability=power"]],
    ["standin --laten", ["--latency"]],
    ["standin --latency ", ["none", "documented"]],
    ["standin trigger ", [...eventKinds]],
    ["standin trigger --data {} payout.p", ["payout.paid"]],
    ["standin advance ", []],
    ["standin start --port ", []],
    ["standin help tr", ["trigger"]],
    ["standin inbox --channel c", ["chat"]],
    ["standin values verifyBv", ["verifyBvn", "verifyBvnAccountMatch"]],
    ["standin exec --assume http.cr", ["http.created=created", "http.created=ok"]],
    [
      "standin listen http://127.0.0.1:9/ --events payo",
      eventKinds.filter((kind) => kind.startsWith("payo")),
    ],
    ["standin listen http://127.0.0.1:9/ --events payment.failed,payout.p", ["payment.failed,payout.paid"]],
    [
      "standin assumptions --only http.created,fields",
      ["http.created,fields.unmarked", "http.created,fields.null"],
    ],
    ["standin drift --only phone,ch", ["phone,channels"]],
    ["standin drift --scenario phone-code,phone-l", ["phone-code,phone-lockout"]],
    ["standin scenario record --as ", ["vitest", "pytest", "pact"]],
    ["standin completion ", ["bash", "zsh", "fish"]],
    ["standin exec --se", ["--seed"]],
  ])("%s", async (line, expected) => {
    expect(await offered(line)).toEqual(expected);
  });

  test("scenarios are the built-in ones", async () => {
    const names = readdirSync("scenarios")
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => file.slice(0, -".yaml".length));
    expect(names.length).toBeGreaterThan(0);
    expect((await offered("standin scenario load ")).sort()).toEqual(names.sort());
    expect((await offered(`standin scenario run ${names[0]} `)).sort()).toEqual(names.sort());
    expect(await offered("standin scenario lo")).toEqual(["load"]);
    expect(await offered("standin scenario run --jun")).toEqual(["--junit"]);
  });
});

describe("in bash", () => {
  test("the commands are those of the help", () => {
    expect(commands).toContain("listen");
    expect(completed("standin ")).toEqual(commands);
    expect(completed("standin tr")).toEqual(["trigger"]);
    expect(completed("standin --latency ")).toEqual(["none", "documented"]);
  });

  test("completions omit the part before =, which bash keeps", () => {
    expect(completed("standin start --assume http.created=o")).toEqual(["ok"]);
  });

  test("words after the command of standin exec are not completed as its own", () => {
    expect(completed("standin exec -- bas")).toContain("bash");
    expect(completed("standin exec bas")).toContain("bash");
    expect(completed("standin exec -- bash --se")).toEqual([]);
    expect(completed("standin exec bash --se")).toEqual([]);
  });

  test("a folder is completed by the shell, also after =", () => {
    expect(completed(`standin start --data ${installed.slice(0, -1)}`)).toEqual([installed]);
    expect(completed(`standin start --data=${installed.slice(0, -1)}`)).toEqual([installed]);
  });
});

describe("in other shells", () => {
  const isThere = (shell: string) => spawnSync(shell, ["-c", "true"], { timeout }).status === 0;

  test.skipIf(!isThere("zsh"))("zsh accepts its script", async () => {
    const { status, stderr } = spawnSync("zsh", ["-n"], {
      input: await standin("completion", "zsh"),
      timeout,
    });
    expect([status, String(stderr)]).toEqual([0, ""]);
  });

  test.skipIf(!isThere("zsh")).each<[string, string]>([
    ["trigger payout.p", "payout.paid"],
    ["start --durability=po", "--durability=power"],
    ["tri", "trigger:Send a signed webhook event to the account's endpoints."],
    ["exec --assume http.created=o", "http.created=ok"],
    ["start --data ", "files -/"],
    ["exec -- ba", "command names -e"],
    ["exec --seed s bash -c ec", "as for bash -c ec"],
  ])("zsh offers what follows standin %s", async (line, expected) => {
    // Outside the line editor, what zsh itself offers is printed.
    const ask = `
      compdef() {}; compset() {}
      _describe() { print -l -- "\${(P@)2}" }
      _files() { print files $@ }; _command_names() { print command names $@ }
      _normal() { print as for $words[1,CURRENT] }
      ${await standin("completion", "zsh")}
      words=(standin ${line.replace(/ $/, " ''")}); CURRENT=$#words
      _standin`;
    const output = execFileSync("zsh", ["-f", "-c", ask], { encoding: "utf8", env, timeout });
    expect(output.trim()).toBe(expected);
  });

  test.skipIf(!isThere("fish")).each<[string, string]>([
    ["standin trigger payout.p", "payout.paid"],
    ["standin start --durability=po", "--durability=power"],
    ["standin tri", "trigger\tSend a signed webhook event to the account's endpoints."],
    [`standin start --data=${installed.slice(0, -1)}`, `--data=${installed}/\tDirectory`],
  ])("fish offers what follows %s", async (line, expected) => {
    const ask = `${await standin("completion", "fish")}complete -C "${line}"`;
    const options = { encoding: "utf8", env, timeout } as const;
    expect(execFileSync("fish", ["--no-config", "-c", ask], options).trim()).toBe(expected);
  });
});

test("standin complete prints a line for each word, and for what the shell itself completes", async () => {
  expect(await standin("complete", "standin trigger payout.p")).toBe("payout.paid\n");
  expect(await standin("complete", "standin tr")).toMatch(/^trigger\tSend .+\n$/);
  expect(await standin("complete", "standin exec -- no")).toBe(":commands\n");
  expect(await standin("complete", "standin start --data ")).toBe(":folders\n");
  expect(await standin("complete", "standin advance ")).toBe("");
  expect(await standin("help", "--all")).not.toMatch(/^ {2}complete /m);
});

test("a word in quotes, or with an escaped space, is one word", async () => {
  for (const command of ["npm", '"npm test"', "'npm test'", "npm\\ test", '"a \\" b"'])
    expect(await standin("complete", `standin exec ${command} a`)).toBe(":arguments\t1\n");
  expect(await offered('standin exec "npm te')).toEqual([":commands"]);
  expect(await offered("")).toEqual(await offered("standin "));
});

test("--json prints all completions", async () => {
  const tree = JSON.parse(await standin("completion", "bash", "--json"));
  const trigger = tree.commands.find(({ name }: { name: string }) => name === "trigger");
  expect(trigger.operands).toEqual([
    { name: "event", variadic: false, values: { kind: "words", words: [...eventKinds] } },
  ]);
});

test("an unknown shell is refused with the list of known ones", async () => {
  const { code, stderr } = await runHere(["completion", "tcsh"]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/bash, zsh, fish/)]);
});

test("the help describes the installation", async () => {
  const help = await standin("completion", "--help");
  for (const line of [
    'eval "$(standin completion bash)"',
    'eval "$(standin completion zsh)"',
    "standin completion fish | source",
  ])
    expect(help).toContain(line);
});
