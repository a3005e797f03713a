import { describe, expect, test } from "vitest";
import { runProgram, temporaryFolder } from "../support/program.js";
import { runHere } from "./run-here.js";
import { useProgram } from "./use-program.js";

const program = useProgram();

describe("a command line in this process", () => {
  test.each<[string, string[], number, NodeJS.ProcessEnv?]>([
    ["succeeds", ["values", "verifyBvn"], 0],
    ["is refused by the sandbox", ["trigger", "payout.pai"], 1],
    ["has an unknown command", ["inbx"], 2],
    ["asks for help", ["webhooks", "check", "--help"], 0],
    ["depends on the folder", ["drift", "--check"], 1],
    ["depends on the environment", ["exec", "true"], 2, { STANDIN_ASSUMPTIONS: "http.created" }],
  ])("that %s ends as in a process of its own", async (_case, args, code, env) => {
    const all = { STANDIN_URL: program.url, ...env };
    const here = await runHere(args, temporaryFolder(), all);
    expect(here).toEqual(await runProgram(args, temporaryFolder(), all));
    expect(here.code).toBe(code);
  });

  test("leaves this process as it was", async () => {
    const state = () => ({
      folder: process.cwd(),
      env: { ...process.env },
      exitCode: process.exitCode,
      listeners: [process, process.stdout, process.stderr].map((emitter) =>
        emitter.eventNames().map((name) => emitter.listenerCount(name)),
      ),
      write: [process.stdout.write, process.stderr.write],
    });
    const before = state();
    const vary = ["assumptions", "--vary", "--only", "http.created", "--", "false"];
    expect((await runHere(vary, temporaryFolder(), { STANDIN_SEED: "" })).code).toBe(1);
    expect(state()).toEqual(before);
  });
});
