/**
 * Runs a command line in this process, at a fraction of the cost of a process of its own. Tests of streams, signals and the
 * end of a process use `runProgram` instead, and so does at least one test of each command.
 */
import type { EventEmitter } from "node:events";
import { run } from "../../src/cli/program.js";
import { type Finished, temporaryFolder } from "../support/program.js";

/** The events that commands listen to until their process ends. */
const events: readonly (readonly [EventEmitter, string])[] = [
  ...["SIGINT", "SIGTERM", "SIGHUP"].map((name) => [process, name] as const),
  [process.stdout, "error"],
  [process.stderr, "error"],
];

/** Returns a function that removes the listeners that commands have added since. */
function keepListeners(): () => void {
  const kept = events.map(([emitter, name]) => emitter.listeners(name));
  return () => {
    for (const [index, [emitter, name]] of events.entries())
      for (const listener of emitter.listeners(name))
        if (!kept[index]?.includes(listener)) emitter.off(name, listener as () => void);
  };
}

/** Replaces `write` of the stream, and returns the text so far and a function that undoes it. */
function capture(stream: NodeJS.WriteStream) {
  const { write } = stream;
  let text = "";
  stream.write = (chunk: string | Uint8Array): boolean => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  return {
    text: () => text,
    undo() {
      stream.write = write;
    },
  };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Like `runProgram`, but in this process, where runs follow each other. The command may neither read stdin nor wait for a
 * signal.
 */
export function runHere(
  args: readonly string[],
  cwd = temporaryFolder(),
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  const finished = last.then(() => runCaptured(args, cwd, env));
  last = finished.catch(() => {});
  return finished;
}

async function runCaptured(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Finished> {
  const removeListeners = keepListeners();
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const before = { folder: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  try {
    process.exitCode = 0;
    process.chdir(cwd);
    Object.assign(process.env, env);
    await run(args);
    return { code: Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.undo();
    stderr.undo();
    removeListeners();
    process.chdir(before.folder);
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
    process.exitCode = before.exitCode;
  }
}
