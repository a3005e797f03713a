import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder, startOn } from "../../support/folder.js";
import { runProgram } from "../../support/program.js";
import { post } from "../../support/sandbox.js";

/** The start is refused with exit code 2 and one line on stderr. */
async function expectRefused(folder: string, ...says: string[]): Promise<void> {
  const { code, stdout, stderr } = await runProgram(["start", "--port", "0", "--data", folder]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  for (const text of says) expect(stderr).toContain(text);
  expect([code, stdout]).toEqual([2, ""]);
}

describe("a folder belongs to one process", () => {
  test("a second one is refused, told whose the folder is, and disturbs nothing", async () => {
    const folder = freshFolder();
    const first = await startOn(folder);
    await expectRefused(folder, folder, `process ${first.process.pid}`);
    const reply = await post(first.account("svc_test_first"), "/v1/phone/verify/start", {
      phone: "08031234567",
    });
    expect(reply.status).toBe(201);
    await expectRefused(folder, `process ${first.process.pid}`);
    expect(await first.stop()).toBe(0);
    expect(await (await startOn(folder)).stop()).toBe(0);
  });

  test("the lock of a process that was killed is taken over", async () => {
    const folder = freshFolder();
    const killed = await startOn(folder);
    await killed.stop("SIGKILL");
    expect(readFileSync(join(folder, "lock"), "utf8")).toContain(String(killed.process.pid));
    const next = await startOn(folder);
    expect(JSON.parse(readFileSync(join(folder, "lock"), "utf8")).pid).toBe(next.process.pid);
  });

  test.runIf(process.platform === "linux")(
    "so is one whose pid has come round again for another process",
    async () => {
      const folder = freshFolder();
      writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, started: "1" }));
      await startOn(folder);
    },
  );

  test("so is one that a crash left empty", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "lock"), "");
    await startOn(folder);
  });
});

describe("what cannot be used is refused", () => {
  test("a folder that a later version wrote", async () => {
    const folder = freshFolder();
    const file = join(folder, "standin.json");
    writeFileSync(file, '{"format":2}\n');
    await expectRefused(folder, file, "format 2", "format 1");
    expect(readFileSync(file, "utf8")).toBe('{"format":2}\n');
  });

  test.each(["", "{", "null"])("a folder whose standin.json is damaged: %j", async (text) => {
    const folder = freshFolder();
    mkdirSync(join(folder, "accounts"));
    const file = join(folder, "standin.json");
    writeFileSync(file, text);
    await expectRefused(folder, file);
  });

  test("a path below a regular file", async () => {
    const file = join(freshFolder(), "file");
    writeFileSync(file, "");
    await expectRefused(join(file, "below"), join(file, "below"), "--data");
  });
});
