/**
 * Commits of an account: all changes of a commit are kept, or none if it fails. The undo history of the latest commits
 * can take the account back to an earlier moment.
 */

import type { ClockSetting } from "../../time/clock.js";
import { Random } from "../../time/random.js";
import type { AccountContext } from "../records/account-context.js";
import { ownRecords, type SequencesRecord } from "../records/account-settings.js";
import type { Undo } from "../store/rows.js";
import { type Change, wholeState } from "../store/state.js";
import type { AccountLog } from "../store/store.js";
import { CountedList, Total, usualLimit } from "../store/total.js";

/** Thrown when the account was closed, by eviction or after a failed write, while something still held it. */
export class AccountClosed extends Error {}

/** The parts of an account that commits depend on. */
interface CommittedAccount extends AccountContext {
  readonly id: string;
  readonly closed: boolean;
  readonly advancing: ReadonlySet<string> | null;
  readonly history: History;
  readonly log: AccountLog;
  actor: string;
  readonly parts: { onCommit(): void };
}

/** Sequences for ids and job orders, stored with every commit and rolled back with it. */
class Sequences {
  constructor(readonly account: AccountContext) {}

  get mark(): SequencesRecord {
    const { random, jobs } = this.account;
    return { random: random.state, jobs: jobs.nextOrder };
  }

  rollback({ random, jobs }: SequencesRecord): void {
    this.account.random.state = random;
    this.account.jobs.nextOrder = jobs;
  }

  /** Inside a commit that began at `before`: stores the sequences if they have advanced. */
  store(before: SequencesRecord): void {
    const { random, jobs } = this.mark;
    if (random[3] === before.random[3] && jobs === before.jobs) return;
    this.account.state.put(ownRecords, "sequences", { random, jobs });
  }

  /** Loads the stored sequences. Returns false if there are none. */
  resume(): boolean {
    const stored = this.account.state.get(ownRecords, "sequences");
    this.account.jobs.nextOrder = stored?.jobs ?? 0;
    if (stored) this.account.random = new Random(stored.random);
    return stored !== undefined;
  }
}

export class Commits {
  /** True until the store has a line for this account: the first line contains the whole state. */
  isUnsaved = false;
  readonly sequences: Sequences;
  #isOpen = false;
  #hooks: (() => void)[] = [];
  /** The instant (ms) of the current advance at which the clock was last stored. */
  #storedInstant: number | null = null;

  constructor(readonly account: CommittedAccount) {
    this.sequences = new Sequences(account);
  }

  /**
   * Commits everything that `run` changes, or nothing if it throws. A nested commit joins the outer one. The clock
   * stands at `at` (ms) while `run` runs.
   */
  run<T>(actor: string, run: () => T, at: number): T {
    if (this.#isOpen) return run();
    this.refuseIfClosed();
    const { account, sequences } = this;
    const { activities, clock, state } = account;
    const before = sequences.mark;
    const outer = clock.pin(at);
    const { context } = activities;
    this.#isOpen = true;
    account.actor = actor;
    state.begin();
    let result: T;
    try {
      result = run();
      sequences.store(before);
      if (account.advancing && state.changed) this.#storeInstant(outer);
    } catch (error) {
      state.rollback();
      activities.rolledBack(context);
      sequences.rollback(before);
      this.resumeClock();
      this.#hooks = [];
      throw error;
    } finally {
      this.#isOpen = false;
      clock.pin(outer);
    }
    const { undo } = state;
    const changes = state.end();
    activities.committed(changes, context);
    if (changes.length > 0) account.history.add(undo, activities.log.begun);
    this.#committed(changes);
    return result;
  }

  /** Inside a commit: calls `hook` once the commit's line is safe. */
  afterCommit(hook: () => void): void {
    this.#hooks.push(hook);
  }

  /** Sets the clock, inside a commit. */
  setClock(setting: ClockSetting): void {
    const { activities, clock, state } = this.account;
    this.#storedInstant = null;
    clock.setting = setting;
    state.put(ownRecords, "clock", setting);
    this.afterCommit(() => activities.log.clockSet(setting.frozen_at !== null));
  }

  /** Sets the clock to its stored setting. */
  resumeClock(): void {
    const { clock, state } = this.account;
    clock.setting = state.get(ownRecords, "clock") ?? clock.setting;
  }

  /** Stores the whole state, which something other than a commit has replaced. */
  storeEverything(): void {
    const { log, parts, state } = this.account;
    this.#storedInstant = null;
    this.isUnsaved = false;
    log.append(wholeState(state));
    parts.onCommit();
  }

  /**
   * Returns null if all commits so far are safe, otherwise a promise that resolves when they are. It rejects with
   * AccountClosed when the store could not keep them.
   */
  safe(): Promise<void> | null {
    const { closed, id, log } = this.account;
    if (!closed && log.safe) return null;
    return new Promise((resolve, reject) => {
      const lost = () => reject(new AccountClosed(id));
      if (closed) lost();
      else log.whenSafe((error) => (error ? lost() : resolve()));
    });
  }

  refuseIfClosed(): void {
    if (this.account.closed) throw new AccountClosed(this.account.id);
  }

  /** Inside a commit of an advance: stores its instant together with the records made at it. */
  #storeInstant(pinned: number | null): void {
    if (pinned === null || pinned === this.#storedInstant) return;
    this.setClock(this.account.clock.settingAt(pinned));
    this.#storedInstant = pinned;
  }

  #committed(changes: Change[]): void {
    const { jobs, log, parts, state } = this.account;
    const hooks = this.#hooks.splice(0);
    if (changes.length > 0) {
      log.append(this.isUnsaved ? state.everything() : changes);
      this.isUnsaved = false;
      parts.onCommit();
    }
    if (hooks.length > 0) {
      log.whenSafe((error) => {
        if (!error) for (const hook of hooks) hook();
      });
    }
    jobs.settle();
  }
}

/** Maximum number of commits that can be undone. */
export const historyLimit = 1_000;
/** Maximum total length, in characters, of the earlier record texts that a history keeps. */
const maxTextLength = 8 * 1024 * 1024;

/** Estimated size in bytes of a change, without the earlier text. */
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

  /** Adds a commit. `activities` is the number of activities that had begun when it ended. */
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

  /** Forgets all commits. `activities` is the number of activities that have begun so far. */
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
