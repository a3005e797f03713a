/** An account's request journal on the disk: one line per request, redacted, the newest last. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

const mode = 0o600;

export class RequestLog {
  constructor(
    readonly path: string,
    readonly warn: (message: string) => void,
    /** Returns whether this process still owns the folder. */
    readonly canWrite: () => boolean,
  ) {}

  /** Returns the readable lines. */
  read(): string[] {
    try {
      return readFileSync(this.path, "utf8")
        .split("\n")
        .filter((line) => line !== "");
    } catch {
      return [];
    }
  }

  /** Appends lines. Lines that cannot be written are reported and dropped, because no state depends on them. */
  append(lines: readonly string[]): void {
    this.#reported(() => {
      // The data folder itself is not recreated if it was removed.
      const folder = dirname(this.path);
      if (!existsSync(folder)) mkdirSync(folder);
      appendFileSync(this.path, toText(lines), { mode });
    });
  }

  /** Replaces all lines. */
  replace(lines: readonly string[]): void {
    this.#reported(() => {
      writeFileSync(`${this.path}.new`, toText(lines), { mode });
      renameSync(`${this.path}.new`, this.path);
    });
  }

  clear(): void {
    if (this.canWrite()) rmSync(this.path, { force: true });
  }

  #reported(write: () => void): void {
    try {
      if (this.canWrite()) write();
    } catch (error) {
      this.warn(`${this.path} could not be written (${(error as Error).message})`);
    }
  }
}

// A line that a crash has cut off must not swallow the next one.
const toText = (lines: readonly string[]): string => `\n${lines.join("\n")}\n`;
