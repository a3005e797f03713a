import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { version } from "../../../src/sandbox.js";
import { accountFile, filesBelow, freshFolder, startOn } from "../../support/folder.js";
import { openOn } from "../../support/folder-sandbox.js";
import { runProgram } from "../../support/program.js";
import { repetitions } from "../../support/repetitions.js";
import { call, startPhone } from "../../support/sandbox.js";
import { folderFormat } from "../../support/stores.js";
import { until } from "../../support/until.js";

interface Owner {
  pid: number;
}

const machine = (): string => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
const namespace = (): string => readlinkSync("/proc/self/ns/pid");

/** Puts a lock into the folder and returns the file that describes its owner. */
function foreignLock(folder: string, owner: object): string {
  const file = join(folder, "lock", "foreign.json");
  mkdirSync(join(folder, "lock"), { recursive: true });
  writeFileSync(file, JSON.stringify(owner));
  return file;
}

/** Returns the owners that the folder's lock names. */
const ownersOf = (folder: string): Owner[] =>
  readdirSync(join(folder, "lock")).map((name) =>
    JSON.parse(readFileSync(join(folder, "lock", name), "utf8")),
  );

/** Expects the start to be refused in one line. */
async function expectRefused(folder: string, ...says: string[]): Promise<void> {
  const message = await openOn(folder).then(
    () => expect.unreachable("the folder was used"),
    (error: Error) => error.message,
  );
  expect(message).not.toContain("\n");
  for (const text of says) expect(message).toContain(text);
}

describe("a folder belongs to one process", () => {
  test("a second process is refused, with the pid of the owner, and disturbs nothing", async () => {
    const folder = freshFolder();
    const first = await startOn(folder);
    const { code, stdout, stderr } = await runProgram(["start", "--port", "0", "--data", folder]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    for (const text of [folder, `process ${first.process.pid}`]) expect(stderr).toContain(text);
    expect([code, stdout]).toEqual([2, ""]);
    expect((await startPhone(first.account("svc_test_first"))).status).toBe(201);
    await expectRefused(folder, `process ${first.process.pid}`);
    expect(await first.stop()).toBe(0);
    await openOn(folder);
  });

  test("the lock of a killed process is taken over", async () => {
    const folder = freshFolder();
    const killed = await startOn(folder);
    await killed.stop("SIGKILL");
    expect(ownersOf(folder).map(({ pid }) => pid)).toEqual([killed.process.pid]);
    await openOn(folder);
    expect(ownersOf(folder).map(({ pid }) => pid)).toEqual([process.pid]);
  });

  test("if several processes find the lock of a killed one, exactly one takes it over", async () => {
    const killed = freshFolder();
    await (await startOn(killed)).stop("SIGKILL");
    for (let round = 0; round < repetitions(1, 40); round++) {
      const folder = freshFolder();
      cpSync(killed, folder, { recursive: true });
      const starts = await Promise.allSettled(Array.from({ length: 3 }, () => startOn(folder)));
      const running = starts.filter((start) => start.status === "fulfilled");
      expect(running).toHaveLength(1);
      expect(await running[0]?.value.stop()).toBe(0);
    }
  });

  test.runIf(process.platform === "linux")(
    "a lock is taken over if its pid now belongs to another process",
    async () => {
      const folder = freshFolder();
      foreignLock(folder, { machine: machine(), pid_namespace: namespace(), pid: process.pid, started: "1" });
      await openOn(folder);
    },
  );

  test.each(["", '{"pid":'])(
    "a lock file of an earlier version that a crash left as %j is taken over",
    async (text) => {
      const folder = freshFolder();
      writeFileSync(join(folder, "lock"), text);
      await openOn(folder);
    },
  );

  test("the lock file of a running earlier version is respected", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, started: null }));
    await expectRefused(folder, `process ${process.pid};`);
  });
});

describe("the lock of a process on another host or in another container, which cannot be checked,", () => {
  // A process with this pid runs here, which does not say whether one runs elsewhere.
  const elsewhere = { pid: process.pid, host: "other-host", machine: "other-kernel", started: null };

  test("is respected while its heartbeat continues", async () => {
    const folder = freshFolder();
    const file = foreignLock(folder, elsewhere);
    const beat = setInterval(() => writeFileSync(file, JSON.stringify(elsewhere)), 500);
    onTestFinished(() => clearInterval(beat));
    await expectRefused(folder, `is in use by process ${process.pid} on other-host`);
    expect(ownersOf(folder)).toEqual([elsewhere]);
  });

  test("is taken over once its heartbeat has been missing for 10 s", async () => {
    const folder = freshFolder();
    const seen = new Date(Date.now() - 8_000);
    utimesSync(foreignLock(folder, elsewhere), seen, seen);
    const sandbox = await openOn(folder);
    expect(sandbox.stderr()).toContain("waiting up to 10 s for a heartbeat");
    expect(ownersOf(folder)).toEqual([expect.objectContaining({ pid: process.pid, host: hostname() })]);
  });

  test.runIf(process.platform === "linux")(
    "includes that of another pid namespace on this host",
    async () => {
      const folder = freshFolder();
      const owner = { pid: 2 ** 22 + 1, started: "1", machine: machine(), pid_namespace: "pid:[1]" };
      const beat = setInterval(() => writeFileSync(file, JSON.stringify(owner)), 500);
      const file = foreignLock(folder, owner);
      onTestFinished(() => clearInterval(beat));
      await expectRefused(folder, `is in use by process ${owner.pid}`);
    },
  );
});

test("a suspended process whose lock was taken over stops writing and refuses requests with 503", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const account = program.account("svc_test_outlived");
  await startPhone(account);
  program.process.kill("SIGSTOP");
  const [name] = readdirSync(join(folder, "lock"));
  rmSync(join(folder, "lock", name as string));
  foreignLock(folder, { pid: process.pid, started: null });
  const before = filesBelow(folder);
  program.process.kill("SIGCONT");
  await until("the loss is reported", () => program.stderr().includes("was taken over by another process"));
  for (const reply of [
    await startPhone(account),
    await call(account, "GET", "/v1/balance"),
    await call(program.account("svc_test_new"), "GET", "/v1/balance"),
  ]) {
    expect([reply.status, reply.body.error.code]).toEqual([503, "storage_unavailable"]);
    expect(JSON.stringify(reply.body)).not.toContain(folder);
  }
  await program.stop();
  expect(filesBelow(folder)).toEqual(before);
});

test("a process that slept through its lease looks at the lock before it writes or answers", async () => {
  const folder = freshFolder();
  const sandbox = await openOn(folder);
  const start = (key: string) => startPhone(sandbox.account(key));
  await start("svc_test_slept");
  rmSync(join(folder, "lock"), { recursive: true });
  foreignLock(folder, { pid: process.pid, started: null });
  const before = filesBelow(folder);
  const wokenAt = Date.now() + 11_000;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => wokenAt);
  onTestFinished(() => clock.mockRestore());
  for (const { status, body } of await Promise.all([start("svc_test_slept"), start("svc_test_new")]))
    expect([status, body.error.code]).toEqual([503, "storage_unavailable"]);
  expect(filesBelow(folder)).toEqual(before);
});

describe("an unusable folder is refused:", () => {
  test("one that a later version wrote", async () => {
    const folder = freshFolder();
    const file = join(folder, "standin.json");
    const text = `{"format":${folderFormat + 1},"written_by":"9.1.0"}\n`;
    writeFileSync(file, text);
    // Its lock may have another form.
    mkdirSync(join(folder, "lock", "of a later version"), { recursive: true });
    const before = filesBelow(folder);
    await expectRefused(
      folder,
      file,
      `format ${folderFormat + 1}, written by standin 9.1.0`,
      `this is standin ${version}`,
      `format ${folderFormat}`,
    );
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(filesBelow(folder)).toEqual(before);
    expect(readdirSync(folder).sort()).toEqual(["lock", "standin.json"]);
  });

  test.each(["", "{", "null"])("one with a damaged standin.json: %j", async (text) => {
    const folder = freshFolder();
    mkdirSync(accountFile(folder, "svc_test_any"), { recursive: true });
    const file = join(folder, "standin.json");
    writeFileSync(file, text);
    await expectRefused(folder, file, `if standin ${version} wrote the folder, it must read {"format":`);
  });

  test("one whose accounts are a file", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "accounts"), "");
    await expectRefused(folder, `${join(folder, "accounts")} is a file`, "--data", "--memory");
  });

  test("a path below a regular file", async () => {
    const file = join(freshFolder(), "file");
    writeFileSync(file, "");
    await expectRefused(join(file, "below"), join(file, "below"), "--data", "--memory");
  });

  test.runIf(process.platform === "linux")("a path in /proc", async () => {
    await expectRefused("/proc/nope", "/proc/nope", "--data", "--memory");
  });
});

test("a standin.json that was repaired with Windows PowerShell, which writes UTF-16, counts", async () => {
  const folder = freshFolder();
  const sandbox = await openOn(folder);
  await startPhone(sandbox.account("svc_test_any"));
  await sandbox.stop();
  writeFileSync(join(folder, "standin.json"), `\ufeff{"format":${folderFormat}}\r\n`, "utf16le");
  const again = await openOn(folder);
  expect(await again.account("svc_test_any").inbox.list()).toHaveLength(1);
});

test("only the owner can read its files", async () => {
  const folder = freshFolder();
  const sandbox = await openOn(folder);
  await startPhone(sandbox.account("svc_test_private"));
  const readable = () => {
    const paths = [...filesBelow(folder).keys(), join(folder, "accounts")];
    expect(paths.length).toBeGreaterThan(3);
    return paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  };
  expect(readable()).toEqual([]);
  await sandbox.stop();
  expect(readable()).toEqual([]);
});
