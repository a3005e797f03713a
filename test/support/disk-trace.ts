/**
 * Traces what this process writes to files and syncs to the disk. It replaces functions of node:fs, also for modules that
 * other test files have loaded before: imports are live. A module that keeps one of the functions in a constant of its own
 * goes untraced in that case, and its syncs are missed. The replacements stay for the test files that follow, and do what
 * the functions do.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";

/** `make`: a file or folder got a name. `write`: contents were written. `remove`: a name is gone. */
export interface DiskStep {
  step: "make" | "write" | "sync" | "remove";
  path: string;
}

let steps: DiskStep[] | null = null;
let observe = () => {};
const note = (step: DiskStep["step"], path: string) => {
  steps?.push({ step, path });
  observe();
};

/** Traces until the end of the test. `onStep` is called after each step, or, for a write, before it. */
export function traceDisk(onStep = () => {}): readonly DiskStep[] {
  const traced: DiskStep[] = [];
  steps = traced;
  observe = onStep;
  onTestFinished(() => {
    steps = null;
    observe = () => {};
  });
  return traced;
}

/** Returns what a power failure would lose: files without their contents, and folders without their entries. */
export function unsynced(traced: readonly DiskStep[]): Set<string> {
  const lost = new Set<string>();
  for (const { step, path } of traced) {
    if (step === "make") lost.add(dirname(path));
    else if (step === "write") lost.add(path);
    else lost.delete(path);
  }
  return lost;
}

const descriptors = new Map<number, string>();
const pathOf = (fd: number) => descriptors.get(fd) ?? "";
const { openSync, writeSync, ftruncateSync, renameSync, mkdirSync, writeFileSync, fsyncSync, fdatasync } = fs;

/** A renamed file takes what is unsynced along. */
function noteRename(from: string, to: string): void {
  const isLost = steps !== null && unsynced(steps).has(from);
  note("remove", from);
  note("make", to);
  note(isLost ? "write" : "sync", to);
}

Object.assign(fs, {
  openSync(path: string, flags = "r", mode?: number) {
    const isMade = flags !== "r" && !fs.existsSync(path);
    const fd = openSync(path, flags, mode);
    descriptors.set(fd, path);
    if (isMade) note("make", path);
    return fd;
  },
  writeSync(fd: number, bytes: Buffer, ...rest: number[]) {
    note("write", pathOf(fd));
    return writeSync(fd, bytes, ...rest);
  },
  ftruncateSync(fd: number, length?: number) {
    note("write", pathOf(fd));
    ftruncateSync(fd, length);
  },
  writeFileSync(file: string, data: string, options?: fs.WriteFileOptions & { flush?: boolean }) {
    if (!fs.existsSync(file)) note("make", file);
    writeFileSync(file, data, options);
    note(options?.flush ? "sync" : "write", file);
  },
  renameSync(from: string, to: string) {
    renameSync(from, to);
    noteRename(from, to);
  },
  mkdirSync(path: string, options?: fs.MakeDirectoryOptions) {
    const result = mkdirSync(path, options);
    const first = options?.recursive ? result : path;
    for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made))
      note("make", made);
    return result;
  },
  fsyncSync(fd: number) {
    fsyncSync(fd);
    note("sync", pathOf(fd));
  },
  fdatasync(fd: number, callback: fs.NoParamCallback) {
    fdatasync(fd, (error) => {
      note("sync", pathOf(fd));
      callback(error);
    });
  },
});

const { open, rename, rm } = fs.promises;
Object.assign(fs.promises, {
  async open(path: string, flags = "r", mode?: number) {
    const isMade = flags !== "r" && !fs.existsSync(path);
    const file = await open(path, flags, mode);
    if (isMade) note("make", path);
    const { sync, appendFile } = file;
    return Object.assign(file, {
      async sync() {
        await sync.call(file);
        note("sync", path);
      },
      async appendFile(...args: Parameters<typeof appendFile>) {
        await appendFile.apply(file, args);
        note("write", path);
      },
    });
  },
  async rename(from: string, to: string) {
    await rename(from, to);
    noteRename(from, to);
  },
  async rm(path: string, options?: fs.RmOptions) {
    await rm(path, options);
    note("remove", path);
  },
});
syncBuiltinESMExports();
