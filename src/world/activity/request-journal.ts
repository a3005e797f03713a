/**
 * The last requests of an account, which testers read and expectations are checked against. In memory they are as they
 * were received. A file store also keeps them across restarts, without what must not be written to the disk.
 */

import { parseObject } from "../../contract/json.js";
import { second, type Timer, timer } from "../../time/time.js";
import { inTurns } from "../../time/turns.js";
import type { RequestLog } from "../store/request-log.js";
import { CountedList, Total, usualLimit } from "../store/total.js";
import { type CallResult, countTexts, keepTexts, newCall, releaseTexts } from "./activity.js";

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

/**
 * Creates the entry of a request that has arrived. Its reply completes it. Members are added one by one, since a spread
 * that other members follow makes an object that is slow to create, read and write.
 */
export function newEntry(
  id: string,
  operation: string,
  method: string,
  path: string,
  headers: readonly string[],
): JournalEntry {
  const entry = newCall(method, path) as JournalEntry;
  entry.id = id;
  entry.at = 0;
  entry.operation = operation;
  entry.headers = headers;
  entry.reply_headers = noHeaders;
  entry.fault = null;
  return entry;
}

/** Shared empty list, until a reply is written. */
const noHeaders: readonly string[] = [];

/** Maximum number of requests kept. */
export const requestLimit = 1_000;

/** Estimated size in bytes of an entry without its texts, and with the headers that every reply has. */
const entryBytes = 1_500;

/** Requests of all journals. */
const allRequests = new Total<RequestJournal>("requests", usualLimit, (journal) => journal.dropOldest());

/** Delay in ms of wall-clock time after which requests are written to the disk. */
const writeDelayMs = 1 * second;

export class RequestJournal {
  readonly #entries = new CountedList<JournalEntry, RequestJournal>(allRequests, this);
  /** Number of the newest entries that are not on the disk yet. */
  #unsaved = 0;
  /** Number of lines in the log. Null before it is read. */
  #lines: number | null = null;
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Ids of removed requests whose lines are still on the disk. */
  readonly #removed = new Set<string>();
  /** Headers of the newest request. */
  #lastHeaders: string[] = [];
  /** Headers that were counted last. */
  #countedHeaders: readonly string[] | null = null;
  /** Number of times the journal was emptied. Entries read in an earlier epoch must not be restored. */
  #epoch = 0;

  constructor(
    /** Log on the disk, or null if requests are not stored. */
    readonly log: RequestLog | null = null,
    readonly redact: (entry: JournalEntry) => JournalEntry = (entry) => entry,
  ) {}

  /** Whether all entries that the log keeps are on the disk. */
  get isSaved(): boolean {
    return this.log === null || (this.#unsaved === 0 && this.#timer === null);
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
  async list(): Promise<JournalEntry[]> {
    await this.#load();
    return this.listInMemory();
  }

  /** Returns the entries that are in memory, newest first. */
  listInMemory(): JournalEntry[] {
    return [...this.#entries.newest()];
  }

  /** Resolves when all entries so far are on the disk. */
  save(): Promise<void> {
    this.#timer?.cancel();
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Removes the requests of these ids, which later requests may have again. */
  remove(ids: ReadonlySet<string>): void {
    const entries = this.#entries.toArray();
    const unsaved = entries.slice(entries.length - this.#unsaved);
    this.#replace(entries.filter(({ id }) => !ids.has(id)));
    this.#unsaved = unsaved.filter(({ id }) => !ids.has(id)).length;
    if (!this.log) return;
    for (const id of ids) this.#removed.add(id);
    this.#writing = this.#writing.then(() => this.#removeLines());
  }

  clear(): void {
    this.release();
    this.#unsaved = 0;
    this.#lines = 0;
    this.#epoch++;
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

  /** Replaces the entries, the oldest of which comes first. */
  #replace(entries: readonly JournalEntry[]): void {
    for (const entry of entries) keepTexts(entry);
    this.release();
    for (const entry of entries) this.#insert(entry);
    for (const entry of entries) releaseTexts(entry);
  }

  /** Reads the entries that were stored before the account left memory. */
  async #load(): Promise<void> {
    if (!this.log || this.#lines !== null) return;
    const epoch = this.#epoch;
    const lines = await this.log.read();
    if (this.#lines !== null || this.#epoch !== epoch) return;
    this.#lines = lines.length;
    const parsed = await inTurns(parseLines(lines.slice(-requestLimit)));
    if (this.#epoch !== epoch) return;
    const earlier = parsed.filter(({ id }) => !this.#removed.has(id));
    const since = this.#entries.toArray();
    this.#replace([...earlier, ...since].slice(-requestLimit));
    for (const entry of earlier) countTexts(entry, entry.headers);
  }

  async #removeLines(): Promise<void> {
    const { log } = this;
    const epoch = this.#epoch;
    const lines = (await log?.read()) ?? [];
    const kept = lines.filter((line) => !this.#removed.has(idOf(line)));
    this.#removed.clear();
    if (!log || this.#epoch !== epoch || kept.length === lines.length) return;
    await log.replace(kept);
    if (this.#epoch !== epoch) return log.clear();
    if (this.#lines !== null) this.#lines = kept.length;
  }

  async #write(): Promise<void> {
    await this.#load();
    const { log } = this;
    const epoch = this.#epoch;
    const unsaved = this.#entries.toArray().slice(this.#entries.size - this.#unsaved);
    this.#unsaved = 0;
    this.#timer = null;
    if (!log || unsaved.length === 0) return;
    for (const entry of unsaved) keepTexts(entry);
    const lines = await inTurns(formatLines(unsaved, this.redact));
    for (const entry of unsaved) releaseTexts(entry);
    if (this.#epoch !== epoch) return;
    await log.append(lines);
    if (this.#epoch !== epoch) return log.clear();
    this.#lines = (this.#lines ?? 0) + lines.length;
    if (this.#lines < 2 * requestLimit) return;
    const kept = (await log.read()).slice(-requestLimit);
    await log.replace(kept);
    if (this.#epoch !== epoch) return log.clear();
    this.#lines = kept.length;
  }
}

function* formatLines(
  entries: readonly JournalEntry[],
  redact: (entry: JournalEntry) => JournalEntry,
): Generator<void, string[]> {
  const lines: string[] = [];
  for (const entry of entries) {
    const { id, ...others } = redact(entry);
    lines.push(JSON.stringify({ id, ...others }));
    yield;
  }
  return lines;
}

/** Returns the id of the request of a line, which begins with it. */
const idOf = (line: string): string => line.split('"', 4)[3] ?? "";

/** Parses the lines of requests. A line that was cut off by a crash, or is not a request, is skipped. */
function* parseLines(lines: readonly string[]): Generator<void, JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (const line of lines) {
    const entry = parseObject(line);
    // Versions before 0.3 did not keep the headers of replies.
    if (entry && isEntry(entry)) entries.push({ ...entry, reply_headers: entry.reply_headers ?? noHeaders });
    yield;
  }
  return entries;
}

/** Returns whether the members are there that a view of the entry relies on. */
const isEntry = (entry: object): entry is JournalEntry =>
  "id" in entry &&
  typeof entry.id === "string" &&
  "at" in entry &&
  typeof entry.at === "number" &&
  "path" in entry &&
  typeof entry.path === "string" &&
  "headers" in entry &&
  Array.isArray(entry.headers);
