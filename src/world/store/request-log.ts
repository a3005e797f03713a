/** An account's request journal on the disk: one line per request, redacted, the newest last. */
import { rmSync } from "node:fs";
import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
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
  async read(): Promise<string[]> {
    const text = await readFile(this.path, "utf8").catch(() => "");
    return text.split("\n").filter((line) => line !== "");
  }

  /** Appends lines. Lines that cannot be written are reported and dropped, because no state depends on them. */
  append(lines: readonly string[]): Promise<void> {
    return this.#reported(async () => {
      // The data folder itself is not recreated if it was removed.
      await mkdir(dirname(this.path)).catch(() => {});
      await appendFile(this.path, toText(lines), { mode });
    });
  }

  /** Replaces all lines. */
  replace(lines: readonly string[]): Promise<void> {
    return this.#reported(async () => {
      await writeFile(`${this.path}.new`, toText(lines), { mode });
      await rename(`${this.path}.new`, this.path);
    });
  }

  clear(): void {
    if (this.canWrite()) rmSync(this.path, { force: true });
  }

  async #reported(write: () => Promise<void>): Promise<void> {
    try {
      if (this.canWrite()) await write();
    } catch (error) {
      this.warn(`${this.path} could not be written (${(error as Error).message})`);
    }
  }
}

// A line that a crash has cut off must not swallow the next one.
const toText = (lines: readonly string[]): string => `\n${lines.join("\n")}\n`;
