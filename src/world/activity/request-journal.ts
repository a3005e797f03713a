/**
 * The last requests of an account, which testers read and expectations are checked against. In memory they are as they
 * were received. A file store also keeps them across restarts, without what must not be written to the disk.
 */

import { parseObject } from "../../contract/json.js";
import { Random } from "../../time/random.js";
import { second, type Timer, timer } from "../../time/time.js";
import { inTurns } from "../../time/turns.js";
import type { RequestLog } from "../store/request-log.js";
import { CountedList, Total, usualLimit } from "../store/total.js";
import { type CallResult, countTexts, keepTexts, noHeaders, releaseTexts, StartedCall } from "./activity.js";

/** Request ids: the same in every fresh sandbox with the same seed, and never reused after a restart. */
export class RequestIds {
  readonly #prefix: string;

  /** `runId` is empty in the first run on a data folder. `accountId` is omitted for requests that reach no account. */
  constructor(seed: string, runId: string, accountId?: string) {
    const parts = [seed, ...(accountId === undefined ? [] : [accountId]), "requests"];
    if (runId !== "") parts.push(runId);
    this.#prefix = `req_${Random.seeded(...parts).letters(8)}`;
  }

  /** Returns the id of a request by its number, from 1. */
  idOf(number: number): string {
    return this.#prefix + number.toString(36).padStart(6, "0");
  }
}

/** A request as it was received and answered. Its activity shares it. */
export interface JournalEntry extends CallResult {
  id: string;
  /** When it arrived, in ms on the account's clock. */
  at: number;
  /** Operation id; null when no operation was reached. */
  operation: string | null;
  method: string;
  /** Path with query. */
  path: string;
  /** Header names and values, alternating, as received. */
  headers: readonly string[];
  /** Header names and values, alternating, of the reply as sent. Empty if no reply was sent, or it is not kept. */
  reply_headers: readonly string[];
  /** Error of the connection, or null if there was none. */
  fault: string | null;
}

/** The entry of a request from its arrival on. Its reply completes it. */
export class StartedRequest extends StartedCall<string> implements JournalEntry {
  at = 0;
  reply_headers = noHeaders;
  fault: string | null = null;

  constructor(
    readonly id: string,
    readonly operation: string,
    method: string,
    path: string,
    readonly headers: readonly string[],
  ) {
    super(method, path);
  }
}

/** Maximum number of requests kept. */
export const requestLimit = 1_000;

/** Estimated size in bytes of an entry without its texts, and with the headers that every reply has. */
const entryBytes = 1_500;

/** Requests of all journals. */
const allRequests = new Total<RequestJournal>("requests", usualLimit, (journal) => journal.dropOldest());

/** Delay in ms of wall-clock time after which requests are written to the disk. */
const writeDelayMs = 1 * second;

/** Number of requests written in one batch. */
const writtenAtOnce = 250;

export class RequestJournal {
  readonly #entries = new CountedList<JournalEntry, RequestJournal>(allRequests, this);
  /** Number of the newest entries that are not on the disk yet. */
  #unsaved = 0;
  /** Number of lines in the log. Null before it is read. */
  #lines: number | null = null;
  #timer: Timer | null = null;
  #saving: Promise<void> = Promise.resolve();
  /** Headers of the newest request. */
  #lastHeaders: string[] = [];
  /** Headers that were counted last. */
  #countedHeaders: readonly string[] | null = null;

  constructor(
    /** Log on the disk, or null if requests are not stored. */
    readonly log: RequestLog | null = null,
    readonly redact: (entry: JournalEntry) => JournalEntry = (entry) => entry,
  ) {}

  /** Whether all entries that the log keeps are on the disk. */
  get isSaved(): boolean {
    return this.#unsaved === 0;
  }

  /**
   * Returns the headers of a request as its entry keeps them. A client sends most headers with each of its requests, so
   * their texts are shared with the request before.
   */
  keepHeaders(headers: string[]): readonly string[] {
    const last = this.#lastHeaders;
    let isSame = headers.length === last.length;
    for (let i = 0; i < headers.length; i++) {
      const text = last[i];
      if (headers[i] === text) headers[i] = text as string;
      else isSame = false;
    }
    if (!isSame) this.#lastHeaders = headers;
    return this.#lastHeaders;
  }

  add(entry: JournalEntry): void {
    this.#insert(entry);
    countTexts(entry, entry.headers === this.#countedHeaders ? [] : entry.headers);
    this.#countedHeaders = entry.headers;
    if (!this.log) return;
    this.#unsaved = Math.min(this.#unsaved + 1, requestLimit);
    this.#timer ??= timer(writeDelayMs, () => void this.save());
  }

  /** Returns the entries, newest first. */
  list(): JournalEntry[] {
    this.#load();
    return this.listInMemory();
  }

  /** Returns the entries that are in memory, newest first. */
  listInMemory(): JournalEntry[] {
    return [...this.#entries.newest()];
  }

  /** Resolves when all entries so far are on the disk. */
  save(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    this.#saving = this.#saving.then(() => inTurns(this.#save()));
    return this.#saving;
  }

  /** Removes the requests of these ids, which later requests may have again. */
  remove(ids: ReadonlySet<string>): void {
    const entries = this.#entries.toArray();
    const unsaved = entries.slice(entries.length - this.#unsaved);
    this.#replace(entries.filter(({ id }) => !ids.has(id)));
    this.#unsaved = unsaved.filter(({ id }) => !ids.has(id)).length;
    const lines = this.log?.read() ?? [];
    const kept = lines.filter((line) => !ids.has(idOf(line)));
    if (kept.length === lines.length) return;
    this.log?.replace(kept);
    if (this.#lines !== null) this.#lines = kept.length;
  }

  clear(): void {
    this.release();
    this.#unsaved = 0;
    this.#lines = 0;
    this.log?.clear();
  }

  /** Forgets all entries in memory. */
  release(): void {
    for (const entry of this.#entries.oldest()) releaseTexts(entry);
    this.#entries.clear();
  }

  /** Drops the oldest entry in memory. */
  dropOldest(): void {
    releaseTexts(this.#entries.removeFirst());
    this.#unsaved = Math.min(this.#unsaved, this.#entries.size);
  }

  #insert(entry: JournalEntry): void {
    keepTexts(entry);
    if (this.#entries.size === requestLimit) this.dropOldest();
    this.#entries.add(entry, entryBytes + entry.path.length);
  }

  /** Replaces the entries with these, oldest first. */
  #replace(entries: readonly JournalEntry[]): void {
    for (const entry of entries) keepTexts(entry);
    this.release();
    for (const entry of entries) this.#insert(entry);
    for (const entry of entries) releaseTexts(entry);
  }

  /** Reads the entries that were stored before the account left memory. */
  #load(): void {
    if (!this.log || this.#lines !== null) return;
    const lines = this.log.read();
    this.#lines = lines.length;
    const earlier = lines.slice(-requestLimit).flatMap(parseEntry);
    this.#replace([...earlier, ...this.#entries.toArray()].slice(-requestLimit));
    for (const entry of earlier) countTexts(entry, entry.headers);
  }

  /**
   * Writes the entries so far, a batch at each step. Between two steps, a reset or a rewind may remove the remaining
   * ones.
   */
  *#save(): Generator<void, void> {
    for (let left = this.#unsaved; left > 0 && this.#unsaved > 0; left -= writtenAtOnce) {
      this.#load();
      this.#write(Math.min(left, this.#unsaved, writtenAtOnce));
      yield;
    }
  }

  /** Writes the oldest entries that are not on the disk yet. */
  #write(count: number): void {
    const { log, redact } = this;
    if (!log) return;
    const first = this.#entries.size - this.#unsaved;
    const entries = this.#entries.toArray().slice(first, first + count);
    log.append(entries.map((entry) => formatLine(redact(entry))));
    this.#unsaved -= count;
    this.#lines = (this.#lines ?? 0) + count;
    if (this.#lines < 2 * requestLimit) return;
    const kept = log.read().slice(-requestLimit);
    log.replace(kept);
    this.#lines = kept.length;
  }
}

/** Formats the line of a request, which begins with its id. */
const formatLine = ({ id, ...others }: JournalEntry): string => JSON.stringify({ id, ...others });

/** Returns the request id with which a line begins. */
const idOf = (line: string): string => line.split('"', 4)[3] ?? "";

/** Parses the line of a request. A line that was cut off by a crash, or is not a request, is skipped. */
function parseEntry(line: string): JournalEntry[] {
  const entry = parseObject(line);
  // Versions before 0.3 did not keep the headers of replies.
  return entry && isEntry(entry) ? [{ ...entry, reply_headers: entry.reply_headers ?? noHeaders }] : [];
}

/** Returns whether the object has the members that views of an entry rely on. */
const isEntry = (entry: object): entry is JournalEntry =>
  "id" in entry &&
  typeof entry.id === "string" &&
  "at" in entry &&
  typeof entry.at === "number" &&
  "path" in entry &&
  typeof entry.path === "string" &&
  "headers" in entry &&
  Array.isArray(entry.headers);
