/** The receivers in examples/, in the languages that are installed on this machine. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkReceiver } from "../../src/index.js";
import { secret } from "../receiver-check/faulty-receivers.js";
import { answersAt, freePort } from "../support/port.js";
import { isLong } from "../support/repetitions.js";
import { skipWithout, type Toolchain } from "../support/toolchains.js";
import { until } from "../support/until.js";

const folder = join(import.meta.dirname, "../../examples/receivers");
const receivers: Record<string, { needs?: Toolchain; command: (port: number) => string[] }> = {
  "receiver.mjs": { command: () => ["node", "receiver.mjs"] },
  "receiver.py": { needs: "python", command: () => ["python3", "receiver.py"] },
  "receiver.php": { needs: "php", command: (port) => ["php", "-S", `127.0.0.1:${port}`, "receiver.php"] },
  "Receiver.java": { needs: "java", command: () => ["java", "Receiver.java"] },
  "receiver.go": { needs: "go", command: () => ["go", "run", "receiver.go"] },
};

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    // `go run` starts a child process, so the whole process group is ended.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid);
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
});

/** Java compiles the receiver at each start, which only long runs wait for. The Python receiver makes the same checks. */
const tried = Object.entries(receivers).filter(([file]) => isLong || file !== "Receiver.java");

describe("an example receiver passes every check", () => {
  test.for(tried)("%s", { timeout: 60_000 }, async ([file, { needs, command }], { skip }) => {
    if (needs) skipWithout(needs, skip);
    const port = await freePort();
    const [program = "", ...args] = command(port);
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
    running.push(spawn(program, args, { cwd: folder, env, stdio: "ignore", detached: true }));
    await until(`${file} listens`, () => answersAt(port));
    const url = `http://127.0.0.1:${port}/webhooks`;
    const { results } = await checkReceiver({ url, secret, timeout: 5_000 });
    expect(results.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(results.length).toBeGreaterThan(40);
  });
});

test.each([
  ["python", "receiver.py"],
  ["php", "receiver.php"],
  ["java", "Receiver.java"],
  ["go", "receiver.go"],
])("the %s example of docs/webhooks.md equals %s", async (language, file) => {
  const withoutIndent = (text: string) => text.replaceAll(/^[ \t]+/gm, "");
  const page = await readFile(join(folder, "../../docs/webhooks.md"), "utf8");
  const [, shown = "nothing"] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  expect(withoutIndent(await readFile(join(folder, file), "utf8"))).toContain(withoutIndent(shown));
});
