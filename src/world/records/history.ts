/** The undo history of an account's last commits, with which it can be taken back to an earlier moment. */
import type { Undo } from "../store/rows.js";
import { type Counted, Total, usualLimit } from "../store/total.js";

/** Maximum number of commits that can be undone. */
export const historyLimit = 1_000;
/** Maximum length, in characters, of the earlier texts of records that are kept for it. */
const maxTextLength = 8 * 1024 * 1024;

/** Estimated size in bytes of a change without the earlier text. */
const changeBytes = 200;

/** Histories of all accounts. */
const allHistories = new Total<History>("changes that a rewind undoes", usualLimit, (history) =>
  history.dropFirst(),
);

interface PastCommit {
  /** Number of activities that had begun when the commit ended. */
  readonly activities: number;
  readonly undo: Undo;
  /** Length of the earlier texts of its records, in characters. */
  readonly textLength: number;
  /** Its place in the total. */
  counted: Counted<History> | null;
}

/** Stands for commits that have been dropped, whose texts must not stay in memory. */
const dropped: PastCommit = { activities: 0, undo: [], textLength: 0, counted: null };

export class History {
  /** Commits from number `#first` on; earlier ones have been dropped. */
  #commits: PastCommit[] = [];
  #first = 0;
  #textLength = 0;
  /** Number of activities that had begun when the last dropped commit ended. */
  #droppedUpTo = 0;

  /** Adds a commit, which ended when this number of activities had begun. */
  add(undo: Undo, activities: number): void {
    const textLength = textLengthOf(undo);
    const commit: PastCommit = { activities, undo, textLength, counted: null };
    this.#commits.push(commit);
    this.#textLength += textLength;
    while (this.#commits.length - this.#first > historyLimit || this.#textLength > maxTextLength)
      this.dropFirst();
    if (this.#first < this.#commits.length)
      commit.counted = allHistories.add(this, textLength + undo.length * changeBytes);
  }

  /** Returns whether all commits since this activity began can be undone. */
  reaches(activity: number): boolean {
    return activity > this.#droppedUpTo;
  }

  /** Removes the commits since this activity began, and returns them. The oldest comes first. */
  takeSince(activity: number): Undo[] {
    let from = this.#commits.length;
    while (from > this.#first && (this.#commits[from - 1] as PastCommit).activities >= activity) from--;
    const taken = this.#commits.splice(from);
    for (const commit of taken) this.#forget(commit);
    return taken.map(({ undo }) => undo);
  }

  /** Forgets all commits so far. This number of activities has begun. */
  clear(activities: number): void {
    for (const commit of this.#commits.slice(this.#first)) this.#forget(commit);
    this.#commits = [];
    this.#first = 0;
    this.#droppedUpTo = activities;
  }

  /** Drops the oldest commit. */
  dropFirst(): void {
    const commit = this.#commits[this.#first] as PastCommit;
    this.#commits[this.#first++] = dropped;
    this.#droppedUpTo = commit.activities;
    this.#forget(commit);
    // Many are dropped at once, because each slice moves the remaining entries.
    if (this.#first * 2 < this.#commits.length) return;
    this.#commits = this.#commits.slice(this.#first);
    this.#first = 0;
  }

  #forget({ textLength, counted }: PastCommit): void {
    this.#textLength -= textLength;
    if (counted) allHistories.release(counted);
  }
}

function textLengthOf(undo: Undo): number {
  let length = 0;
  for (let i = 1; i < undo.length; i += 2) length += (undo[i] as string | null | undefined)?.length ?? 0;
  return length;
}
