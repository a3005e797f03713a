/** Starts the servers to measure: child processes on core 0 that are killed when the bench exits. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folder of the build to measure; STANDIN_DIST overrides it. */
export const dist = process.env.STANDIN_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));
export const peer = (name) => fileURLToPath(new URL(`peers/${name}.mjs`, import.meta.url));

const canPin = spawnSync("taskset", ["-c", "0,1", "true"]).status === 0;
const startTimeoutMs = 20_000;
/** Unit of CPU times in /proc. */
export const ticksPerSecond = 100;

/** Spawns Node with `args`, pinned to one core if the system can do that. */
export function spawnOn(core, args, options = {}) {
  const command = canPin ? ["taskset", "-c", String(core), process.execPath] : [process.execPath];
  const child = spawn(command[0], [...command.slice(1), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.removeListener("exit", end));
  return child;
}

/** Keeps this process and its unpinned children off the servers' core. */
export function keepOffServers() {
  if (canPin) spawnSync("taskset", ["-cp", "1", String(process.pid)]);
}

/** Starts a program that prints `{"ready":true,"url":…}` as its first line. */
export function startServer(args, { core = 0, env } = {}) {
  const child = spawnOn(core, args, env ? { env: { ...process.env, ...env } } : {});
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => child.kill("SIGKILL"), startTimeoutMs);
    let text = "";
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code} before it was ready`)));
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const mark = text.indexOf("\n");
      if (mark === -1) return;
      clearTimeout(limit);
      child.stdout.removeAllListeners("data");
      child.stdout.resume();
      resolve(new Server(child, JSON.parse(text.slice(0, mark)).url));
    });
  });
}

export const startStandin = (flags = ["--memory"], options = {}) =>
  startServer(
    [...(options.node ?? []), `${dist}/standin.cjs`, "start", "--port", "0", "--json", ...flags],
    options,
  );

export const startPeer = (name, options) => startServer([peer(name)], options);

/** A child process that is measured. */
export class Server {
  constructor(child, url) {
    this.child = child;
    this.url = url;
  }

  /** CPU seconds used so far, including system time; null without /proc. */
  get cpu() {
    const fields = this.#read("stat")?.split(") ")[1]?.split(" ");
    return fields ? (Number(fields[11]) + Number(fields[12])) / ticksPerSecond : null;
  }

  /** Resident memory, in MB. */
  get rss() {
    return Number(/VmRSS:\s+(\d+)/.exec(this.#read("status") ?? "")?.[1]) / 1024;
  }

  async stop(signal = "SIGTERM") {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill(signal);
    const limit = setTimeout(() => this.child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(limit);
  }

  #read(name) {
    try {
      return readFileSync(`/proc/${this.child.pid}/${name}`, "utf8");
    } catch {
      return null;
    }
  }
}
