/** The undo history of an account's last commits, with which it can be taken back to an earlier moment. */
import type { Undo } from "../store/rows.js";
import { CountedList, Total, usualLimit } from "../store/total.js";

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
}

export class History {
  readonly #commits = new CountedList<PastCommit, History>(allHistories, this);
  #textLength = 0;
  /** Number of activities that had begun when the last dropped commit ended. */
  #droppedUpTo = 0;

  /** Adds a commit, which ended when this number of activities had begun. */
  add(undo: Undo, activities: number): void {
    const textLength = textLengthOf(undo);
    if (textLength > maxTextLength) return this.clear(activities);
    while (this.#commits.size === historyLimit || this.#textLength + textLength > maxTextLength)
      this.dropFirst();
    this.#textLength += textLength;
    this.#commits.add({ activities, undo, textLength }, textLength + undo.length * changeBytes);
  }

  /** Returns whether all commits since this activity began can be undone. */
  reaches(activity: number): boolean {
    return activity > this.#droppedUpTo;
  }

  /** Removes the commits since this activity began, and returns them. The oldest comes first. */
  takeSince(activity: number): Undo[] {
    const taken: Undo[] = [];
    while ((this.#commits.last?.activities ?? -1) >= activity) {
      const { undo, textLength } = this.#commits.removeLast();
      this.#textLength -= textLength;
      taken.push(undo);
    }
    return taken.reverse();
  }

  /** Forgets all commits so far. This number of activities has begun. */
  clear(activities: number): void {
    this.#commits.clear();
    this.#textLength = 0;
    this.#droppedUpTo = activities;
  }

  /** Drops the oldest commit. */
  dropFirst(): void {
    const { activities, textLength } = this.#commits.removeFirst();
    this.#droppedUpTo = activities;
    this.#textLength -= textLength;
  }
}

function textLengthOf(undo: Undo): number {
  let length = 0;
  for (let i = 1; i < undo.length; i += 2) length += (undo[i] as string | null | undefined)?.length ?? 0;
  return length;
}
