import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAwaitedByNpm } from "../../src/cli/signals.js";
import { programFile, temporaryFolder } from "../support/program.js";
import { until } from "../support/until.js";
import { spawnProgram } from "./spawned-program.js";

const standin = `node ${programFile}`;
const start = `${standin} start --memory --port 0 --json`;

/** Runs npm with scripts in a package of their own. */
function npm(args: readonly string[], scripts: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ name: "shop", scripts }));
  return spawnProgram("npm", args, { cwd });
}

/** Waits for the end of npm and of all that it has started, which share its output. */
async function endOf({ child, exitCode }: ReturnType<typeof npm>): Promise<void> {
  child.kill("SIGTERM");
  await exitCode;
}

test("a server that npm start runs ends when npm is killed", async () => {
  const program = npm(["start"], { start });
  const [, url] = /"url":"([^"]+)"/.exec(await program.waitFor(/"url"/)) as unknown as [string, string];
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await endOf(program);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test("a command of standin exec, and what npm runs below it, end when npm is killed", async () => {
  const program = npm(["test"], {
    test: `${standin} exec -- npm run -s inner`,
    inner: `node -e 'setInterval(() => {}, 1000); console.log("tests at " + process.env.STANDIN_URL)'`,
  });
  const [, url] = /tests at (\S+)/.exec(await program.waitFor(/tests at/)) as unknown as [string, string];
  await endOf(program);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test("a server that a script starts in the background outlives npm", async () => {
  const folder = temporaryFolder();
  const [out, pid] = [join(folder, "out"), join(folder, "pid")];
  const program = npm(["run", "background"], {
    background: `${start} > ${out} 2>&1 & echo $! > ${pid}; until grep -q url ${out}; do sleep 0.05; done`,
  });
  expect(await program.exitCode).toBe(0);
  const { url } = JSON.parse(readFileSync(out, "utf8")) as { url: string };
  const wait = await fetch(`${url}/_sandbox/inbox/wait?timeout=1s`, {
    headers: { "X-Service-Key": "svc_test_demo" },
  });
  expect(wait.status).toBe(408);
  process.kill(Number(readFileSync(pid, "utf8")), "SIGTERM");
  await until("the server has ended", () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
});

test.each([
  ["node dist/standin.cjs start", true],
  ["standin start --port 4011 2>&1 | tee log", true],
  ["npm run build && standin exec -- vitest run &> log", true],
  ["'standin'", true],
  [undefined, false],
  ["vitest run", false],
  ["./start.sh", false],
  ["standin start & wait-on http://localhost:4010", false],
  ["nohup standin start", false],
  ["setsid standin start", false],
])("npm waits for the program in the script %s: %s", (script, isAwaited) => {
  expect(isAwaitedByNpm(script)).toBe(isAwaited);
});
