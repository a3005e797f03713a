/**
 * Writes the lines of all accounts in batches, one after the other. A batch is one statement, and so one transaction: it
 * locks the row of each account, and keeps the lines only of those accounts whose epoch is still the one of the log.
 */
import type { Pool } from "pg";
import { type Timer, timer } from "../../../time/time.js";
import { StoreError } from "../store.js";
import type { PostgresLog } from "./postgres-log.js";

/** Time in ms that the first line of a batch waits for others. */
const batchDelayMs = 2;
const maxBatchLines = 500;
const maxBatchCharacters = 4 * 1024 * 1024;

/** Lines of each log in a batch. */
type Batch = Map<PostgresLog, readonly string[]>;

/** Due times that are noted with the next batch, by account. */
export type DueTimes = Map<string, number | null>;

export class GroupCommit {
  readonly #dirty = new Set<PostgresLog>();
  readonly #due: DueTimes = new Map();
  #timer: Timer | null = null;
  #busy: Promise<void> | null = null;
  /** Batches and lines written since the start. */
  readonly written = { batches: 0, lines: 0 };

  constructor(readonly pool: Pool) {}

  /** Notes a due time, which is written together with the account's next line at the latest. */
  noteDue(id: string, due: number | null): void {
    this.#due.set(id, due);
  }

  /** Takes back the due time that is not written yet. */
  takeDue(id: string): number | null | undefined {
    const due = this.#due.get(id);
    this.#due.delete(id);
    return due;
  }

  commitSoon(log: PostgresLog): void {
    this.#dirty.add(log);
    if (this.#busy || this.#timer) return;
    this.#timer = timer(batchDelayMs, () => {
      this.#timer = null;
      this.#flush();
    });
  }

  /** Resolves when every line so far has been written, or was lost. */
  async settled(): Promise<void> {
    while (this.#dirty.size > 0 || this.#busy) {
      this.#flush();
      await this.#busy;
    }
  }

  #flush(): void {
    if (this.#busy || this.#dirty.size === 0) return;
    this.#timer?.cancel();
    this.#timer = null;
    this.#busy = this.#write().finally(() => {
      this.#busy = null;
      this.#flush();
    });
  }

  async #write(): Promise<void> {
    const batch = this.#takeBatch();
    if (batch.size === 0) return;
    try {
      const kept = await this.#insert(batch);
      this.written.batches++;
      for (const [log, lines] of batch) {
        if (log.isLost) continue;
        if (kept.get(log.id) === log.epoch) {
          this.written.lines += lines.length;
          log.committed();
        } else log.fail(new StoreError("another replica has taken the account over"));
      }
    } catch (error) {
      // It is unknown whether the lines were kept, so no reply confirms them, and the account is read again.
      for (const log of batch.keys()) log.fail(error as Error);
    }
  }

  #takeBatch(): Batch {
    const batch: Batch = new Map();
    const left = { lines: maxBatchLines, characters: maxBatchCharacters };
    for (const log of this.#dirty) {
      if (left.lines <= 0 || left.characters <= 0) break;
      this.#dirty.delete(log);
      const lines = log.take(left.characters, left.lines);
      left.lines -= lines.length;
      for (const { length } of lines) left.characters -= length;
      if (lines.length > 0) batch.set(log, lines);
      else log.committed();
      // Other accounts take their turn first.
      if (log.hasPending) this.#dirty.add(log);
    }
    return batch;
  }

  /** Returns the epoch under which the lines of each account were kept. */
  async #insert(batch: Batch): Promise<ReadonlyMap<string, string>> {
    const accounts: string[] = [];
    const epochs: string[] = [];
    const rows: { account: string[]; sequence: number[]; epoch: string[]; line: string[] } = {
      account: [],
      sequence: [],
      epoch: [],
      line: [],
    };
    const due: { account: string[]; at: string[] } = { account: [], at: [] };
    for (const [{ id, epoch, sequence }, lines] of batch) {
      accounts.push(id);
      epochs.push(epoch);
      for (const [index, line] of lines.entries()) {
        rows.account.push(id);
        rows.sequence.push(sequence - lines.length + 1 + index);
        rows.epoch.push(epoch);
        rows.line.push(line.slice(0, -1));
      }
      const at = this.takeDue(id);
      if (at === undefined) continue;
      due.account.push(id);
      due.at.push(String(at));
    }
    const values = [accounts, epochs, due.account, due.at, ...Object.values(rows)].map((list) =>
      list.join("\n"),
    );
    const { rows: kept } = await this.pool.query({ name: "commit", text: insertion, values });
    return new Map(kept.map(({ id, epoch }) => [id, epoch]));
  }
}

/**
 * Returns the SQL of a list parameter. Lists are passed as text with a line per value, which is faster than arrays on
 * both sides; JSON has no line feeds.
 */
const list = (parameter: number, type = "text") =>
  `unnest(string_to_array($${parameter}, E'\\n')${type === "text" ? "" : `::${type}[]`})`;

/** The lock either makes a take-over wait for this statement, or makes this statement see the new epoch. */
const insertion = `
WITH given AS MATERIALIZED (SELECT ${list(1)} AS id, ${list(2, "bigint")} AS epoch),
held AS MATERIALIZED (
  SELECT a.id, a.epoch FROM standin_account a JOIN given g ON a.id = g.id AND a.epoch = g.epoch
  ORDER BY a.id FOR NO KEY UPDATE OF a
),
due AS (
  UPDATE standin_account a SET due_at = nullif(d.at, 'null')::bigint
  FROM (SELECT ${list(3)} AS id, ${list(4)} AS at) d
  WHERE a.id = d.id AND a.id IN (SELECT id FROM held)
),
written AS (
  INSERT INTO standin_journal (account, sequence, epoch, line)
  SELECT l.account, l.sequence, l.epoch, l.line
  FROM (SELECT ${list(5)} AS account, ${list(6, "bigint")} AS sequence, ${list(7, "bigint")} AS epoch, ${list(8)} AS line) l
  JOIN held h ON h.id = l.account AND h.epoch = l.epoch
)
SELECT id, epoch FROM held`;
