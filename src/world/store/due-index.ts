/**
 * One small file of (account, earliest due job): all that starting reads. A line each time an account becomes due
 * earlier than noted; the last line of an account counts. It may name a time too early, never one too late.
 */
import { renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Durability, LineFile } from "./line-file.js";

const roomForStale = 10_000;

export class DueIndex {
  readonly #file: LineFile;
  readonly #due = new Map<string, number>();
  #lines = 0;
  #loaded = false;
  /** Before the first line: a last one that a crash has cut off must not swallow it. */
  #lead: string;

  constructor(
    readonly path: string,
    size: number,
    durability: Durability,
    readonly warn: (message: string) => void,
  ) {
    this.#file = new LineFile(path, size, durability);
    this.#lead = size > 0 ? "\n" : "";
  }

  get hasPending(): boolean {
    return this.#file.hasPending;
  }

  note(id: string, due: number | null): void {
    if (due === null && this.#loaded && !this.#due.has(id)) return;
    if (due === null) this.#due.delete(id);
    else this.#due.set(id, due);
    this.#lines++;
    this.#file.push(`${this.#lead}${JSON.stringify([id, due])}\n`);
    this.#lead = "";
  }

  /** `more` is called when lines came while these were being written. */
  write(more: () => void): void {
    this.#file.write((error) => {
      if (error) this.#warn(error);
      else if (this.#file.hasPending) more();
    });
  }

  /** Calls back when every line so far is safe, or was lost, of which the operator was told. */
  whenSafe(callback: () => void): void {
    this.#file.whenSafe(callback);
  }

  /** What was noted before the last stop; what this process has noted since counts more. */
  async load(): Promise<ReadonlyMap<string, number>> {
    const text = await readFile(this.path, "utf8").catch(() => "");
    const before = new Map<string, number>();
    for (const line of text.split("\n")) {
      const entry = parse(line);
      if (!entry) continue;
      this.#lines++;
      if (entry[1] === null) before.delete(entry[0]);
      else before.set(entry[0], entry[1]);
    }
    for (const [id, due] of before) if (!this.#due.has(id)) this.#due.set(id, due);
    this.#loaded = true;
    return before;
  }

  /** Writes the file anew when most of its lines are stale. */
  compact(roomLeft = roomForStale): void {
    if (!this.#loaded || !this.#file.idle || this.#lines <= this.#due.size + roomLeft) return;
    const lines = [...this.#due].map((entry) => `${JSON.stringify(entry)}\n`);
    this.#file.close();
    try {
      writeFileSync(`${this.path}.new`, lines.join(""));
      renameSync(`${this.path}.new`, this.path);
    } catch (error) {
      return this.#warn(error as Error);
    }
    this.#file.length = Buffer.byteLength(lines.join(""));
    this.#lines = lines.length;
  }

  /** Writes the file anew and closes it. */
  close(): void {
    this.compact(0);
    this.write(() => {});
    this.#file.close();
  }

  #warn({ message }: Error): void {
    this.warn(`${this.path} could not be written (${message})`);
  }
}

function parse(line: string): [string, number | null] | null {
  try {
    const entry: unknown = JSON.parse(line);
    if (!Array.isArray(entry) || typeof entry[0] !== "string") return null;
    return Number.isFinite(entry[1]) || entry[1] === null ? (entry as [string, number | null]) : null;
  } catch {
    return null;
  }
}
