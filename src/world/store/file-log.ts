/** The log of one account's commits in its folder: a journal, whose lines the file store writes. */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../time/random.js";
import { beginning, formatHead, formatJournalLine, isContinued } from "./journal.js";
import { Log, type LogWriter } from "./log.js";
import { type AccountEnd, journalFile } from "./read-account.js";
import type { Change, State } from "./state.js";
import { newEntriesOf, replaceFile, syncFile, syncFolders } from "./sync.js";

/** Number of random bytes that tell one incarnation from another. */
export const incarnationBytes = 8;

export interface FileLogWriter extends LogWriter {
  /** Brings the account's document up to date. Rejects with a StoreError if it cannot. */
  foldLog(log: FileLog): Promise<void>;
}

export class FileLog extends Log {
  readonly incarnation: string;
  /** Real time in ms at which the account is due, which the next line notes. */
  due: number | null = null;
  /** Due time that the last line notes. */
  #notedDue: number | null = null;
  #fd: number | null = null;
  /** Length in bytes of the complete part of the file. */
  length = 0;
  /** End of the last commit that is complete and safe. */
  #whole = { length: 0, sequence: 0 };
  /** End of the last complete commit that is written. */
  #written = this.#whole;
  /** Whether the next commit is the first, which contains the whole state. */
  #isBeginning: boolean;
  /** Number of times that the file was rewritten from the start. */
  restarts = 0;
  /** Folders with a new entry that has not been synced yet. */
  #newEntries: string[] = [];

  constructor(
    override readonly writer: FileLogWriter,
    readonly folder: string,
    id: string,
    state: State,
    lost: (error: Error) => void,
    end: AccountEnd | null = null,
  ) {
    super(writer, id, state, lost);
    this.incarnation = end?.incarnation ?? randomHex(incarnationBytes);
    this.#isBeginning = end === null;
    if (!end) return;
    this.due = this.#notedDue = end.due;
    this.sequence = end.sequence;
    this.length = end.length;
    this.#whole = this.#written = { length: end.length, sequence: end.sequence };
  }

  get path(): string {
    return join(this.folder, journalFile);
  }

  /** End of the last commit that is complete and safe. */
  get whole(): Readonly<{ length: number; sequence: number }> {
    return this.#whole;
  }

  /** Whether anything was ever stored here, so that the folder must exist. */
  get isOnDisk(): boolean {
    return this.#whole.length > 0;
  }

  /** Whether the open file has been deleted or moved, so that anything written to it would be lost. */
  get isRemoved(): boolean {
    return this.#fd !== null && (fstatSync(this.#fd).nlink === 0 || !existsSync(this.path));
  }

  override append(changes: Iterable<Change>): void {
    super.append(this.#isBeginning ? withBeginning(this.incarnation, changes) : changes);
    this.#isBeginning = false;
  }

  /** Appends a line without changes if the due time differs from the last line's. */
  noteDue(): void {
    if (this.isOnDisk && this.due !== this.#notedDue) this.append([]);
  }

  fold(): Promise<void> {
    return this.writer.foldLog(this);
  }

  /** Drops everything pending and writes the whole state to a new file, after the old one was removed. */
  restart(): void {
    this.closeFile();
    this.length = 0;
    this.#whole = this.#written = { length: 0, sequence: this.sequence };
    this.restarts++;
    this.replacePending(withBeginning(this.incarnation, this.state.everything()));
  }

  /** Writes the lines that were taken last. Returns false if the file was removed, and `restart` must follow. */
  write(lines: readonly string[], isSynced: boolean): boolean {
    const fd = this.#openFile(isSynced);
    if (fd === null) return false;
    const first = this.sequence - lines.length + 1;
    const texts = lines.map((line, i) => formatJournalLine(this.incarnation, first + i, this.due, line));
    const bytes = Buffer.from(texts.join(""));
    for (let written = 0; written < bytes.length; )
      written += writeSync(fd, bytes, written, bytes.length - written);
    const begun = lines.length - 1 - lines.findLastIndex((line) => !isContinued(line));
    if (begun < lines.length) {
      const rest = Buffer.byteLength(texts.slice(lines.length - begun).join(""));
      this.#written = { length: this.length + bytes.length - rest, sequence: this.sequence - begun };
    }
    this.length += bytes.length;
    this.#notedDue = this.due;
    return true;
  }

  override committed(): void {
    this.#whole = this.#written;
    super.committed();
  }

  /** Waits until the disk has everything that was written. */
  async sync(): Promise<void> {
    if (this.#fd === null) return;
    const folders = this.#newEntries;
    await syncFile(this.#fd);
    await syncFolders(folders);
    if (folders === this.#newEntries) this.#newEntries = [];
  }

  /** Removes what is not committed. If this fails, it is dropped when the account is read again. */
  cutBack(): void {
    try {
      if (this.#fd !== null) ftruncateSync(this.#fd, this.#whole.length);
    } catch {
      // The account is read again in any case.
    }
  }

  /**
   * Begins a journal that continues the document at `sequence`, with everything after the `length` bytes that the
   * document contains. No write may be in progress.
   */
  cut({ sequence, length }: Pick<AccountEnd, "sequence" | "length">): void {
    const tail = readSince(this.path, length, this.length);
    const head = Buffer.from(
      formatHead(this.incarnation, sequence, tail.length > 0 ? this.#notedDue : this.due),
    );
    // Windows replaces no file that is open.
    this.closeFile();
    replaceFile(this.path, Buffer.concat([head, tail]), true);
    const shift = head.length - length;
    this.length += shift;
    this.#whole = this.#written = { ...this.#whole, length: this.#whole.length + shift };
    if (tail.length === 0) this.#notedDue = this.due;
  }

  closeFile(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  /** Returns null if the file was removed. */
  #openFile(isSynced: boolean): number | null {
    if (this.#fd !== null) return this.#fd;
    const { folder, isOnDisk, length, path } = this;
    const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isSynced && created !== undefined) this.#newEntries = newEntriesOf(folder, created);
    if (created !== undefined && (isOnDisk || created !== folder)) return null;
    this.#fd = openSync(path, "a", 0o600);
    const { size } = fstatSync(this.#fd);
    if (size < length) return null;
    // A failed write may have left a partial line.
    if (size !== length) ftruncateSync(this.#fd, length);
    if (isSynced && size === 0 && this.#newEntries.length === 0) this.#newEntries = [folder];
    return this.#fd;
  }
}

/** Yields a change that deletes everything and names the incarnation, followed by the given changes. */
function* withBeginning(incarnation: string, changes: Iterable<Change>): Generator<Change> {
  yield beginning(incarnation);
  yield* changes;
}

function readSince(path: string, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  const fd = openSync(path, "r");
  try {
    readSync(fd, bytes, 0, bytes.length, from);
  } finally {
    closeSync(fd);
  }
  return bytes;
}
