/** The undo history of an account's last commits, with which it can be taken back to an earlier moment. */
import type { Undo } from "../store/rows.js";

/** Maximum number of commits that can be undone. */
export const historyLimit = 1_000;
/** Maximum length, in characters, of the earlier texts of records that are kept for it. */
const maxTextLength = 8 * 1024 * 1024;

interface PastCommit {
  /** Number of activities that had begun when the commit ended. */
  readonly activities: number;
  readonly undo: Undo;
  /** Length of the earlier texts of its records, in characters. */
  readonly textLength: number;
}

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
    this.#commits.push({ activities, undo, textLength });
    this.#textLength += textLength;
    while (this.#commits.length - this.#first > historyLimit || this.#textLength > maxTextLength)
      this.#dropFirst();
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
    for (const { textLength } of taken) this.#textLength -= textLength;
    return taken.map(({ undo }) => undo);
  }

  /** Forgets all commits so far. This number of activities has begun. */
  clear(activities: number): void {
    this.#commits = [];
    this.#first = 0;
    this.#textLength = 0;
    this.#droppedUpTo = activities;
  }

  #dropFirst(): void {
    const { activities, textLength } = this.#commits[this.#first++] as PastCommit;
    this.#droppedUpTo = activities;
    this.#textLength -= textLength;
    // Many are dropped at once, because each slice moves the remaining entries.
    if (this.#first < historyLimit) return;
    this.#commits = this.#commits.slice(this.#first);
    this.#first = 0;
  }
}

function textLengthOf(undo: Undo): number {
  let length = 0;
  for (let i = 1; i < undo.length; i += 2) length += (undo[i] as string | null | undefined)?.length ?? 0;
  return length;
}
