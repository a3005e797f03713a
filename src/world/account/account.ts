/** An account: the isolated world of one API key. Its state changes only through commits. */

import { Clock, type ClockSetting } from "../../time/clock.js";
import { Random } from "../../time/random.js";
import { realNow } from "../../time/time.js";
import { Activities } from "../activity/activities.js";
import type { Activity } from "../activity/activity.js";
import { Coverage } from "../activity/coverage.js";
import { RequestIds } from "../activity/request-ids.js";
import { RequestJournal } from "../activity/request-journal.js";
import { Jobs } from "../jobs/jobs.js";
import { FreeTier } from "../money/free-tier.js";
import { Ledger } from "../money/ledger.js";
import { openingBalance } from "../money/money.js";
import { Wallet, type WalletState } from "../money/wallet.js";
import type { AccountContext } from "../records/account-context.js";
import { freshSettings, type Identity, type Origin, type Settings } from "../records/account-settings.js";
import { CachedRecord } from "../records/cached-record.js";
import { History } from "../records/history.js";
import { Records } from "../records/records.js";
import { Sequences } from "../records/sequences.js";
import { changedIds, type Undo, undoAll } from "../store/rows.js";
import { type Change, type State, wholeState } from "../store/state.js";
import type { AccountLog } from "../store/store.js";
import { upgradeState } from "../store/upgrade.js";
import { Outbox } from "../webhooks/outbox.js";
import type { AccountOptions } from "./account-options.js";
import { Inbox } from "./inbox.js";

/** The account was closed, by eviction or after a failed write, while something still held it. */
export class AccountClosed extends Error {}

export class Account implements AccountContext {
  readonly id: string;
  readonly state: State;
  readonly clock = new Clock();
  readonly jobs: Jobs;
  readonly records: Records = new Records(this);
  readonly wallet: Wallet;
  readonly freeTier = new FreeTier(this);
  readonly ledger = new Ledger(this);
  readonly inbox = new Inbox(this);
  readonly activities = new Activities(this);
  readonly history = new History();
  readonly outbox: Outbox;
  /** The request journal. When the account returns to memory, its previous journal replaces the new one. */
  requests: RequestJournal;
  readonly coverage: Coverage;
  random: Random;
  actor = "api";
  /** Jobs that are waiting for an external answer, such as a webhook attempt. */
  readonly inFlight = new Set<Promise<unknown>>();
  /** Ids of the endpoints that timed out during the current advance of the clock. Null when none is under way. */
  advancing: Set<string> | null = null;
  /** Resolves when all due jobs have been started, if that takes several turns of the event loop. */
  catchingUp: Promise<void> | null = null;
  /** Number of resets, restores and rewinds. Work started in one epoch must not be recorded in another. */
  epoch = 0;
  /** Whether a request was made since the process started, such as one that only reads by the control API. */
  isAddressed = false;
  /** Real time of the last request. */
  lastUsed = realNow();
  /**
   * Number of request ids given out since the process started. Only a rewind sets it back, so that no other request id
   * repeats.
   */
  requestCount = 0;
  closed = false;
  /** Real time at which this replica has taken the account over from another one or from the store, or null. */
  takenOverAt: number | null = null;

  #live = false;
  /** True until the store has a line for this account: the first line contains the whole state. */
  #unsaved = false;
  #open = false;
  readonly #settings: CachedRecord<Settings>;
  #hooks: (() => void)[] = [];
  #requestIds: RequestIds | null = null;
  readonly #sequences = new Sequences(this);
  #baseUrl: string | null = null;
  /** The instant (ms) of the current advance at which the clock was last stored. */
  #storedInstant: number | null = null;

  constructor(readonly options: AccountOptions) {
    this.id = options.id;
    this.state = options.state;
    this.requests = new RequestJournal(options.requestLog, options.redactRequest);
    this.coverage = new Coverage(options.coverage);
    this.#settings = new CachedRecord(this.state, "account");
    this.jobs = new Jobs(this.state, () => this.activities.contextId);
    this.wallet = new Wallet(this.state, () => this.clock.today());
    this.outbox = new Outbox(this, options);
    this.random = this.#seeded();
  }

  get live(): boolean {
    return this.#live;
  }

  /** The URL under which people and clients reach the sandbox, without a trailing slash. */
  get baseUrl(): string {
    return this.#baseUrl ?? this.options.baseUrl();
  }

  /** Set by each request to the address at which it arrived. */
  set baseUrl(url: string) {
    this.#baseUrl = url;
  }

  get log(): AccountLog {
    return this.options.log;
  }

  /** Whether no commit has ever changed this account. */
  get untouched(): boolean {
    return this.#unsaved;
  }

  /** Whether a commit has ever changed this account, or a request was made since the process started. */
  get isUsed(): boolean {
    return !this.#unsaved || this.isAddressed;
  }

  get registered(): boolean {
    return this.#identity.registered;
  }

  /** Inside a commit: notes that the key was registered with the control API. */
  register(): void {
    this.state.put("account", "identity", { ...this.#identity, registered: true });
  }

  /** The account's own seeds, or those of the snapshot that was restored here. */
  get origin(): Origin {
    return this.state.get<Origin>("account", "origin") ?? { seed: this.options.seed, account: this.id };
  }

  get #identity(): Identity {
    return this.state.get<Identity>("account", "identity") as Identity;
  }

  get settings(): Readonly<Settings> {
    return this.#settings.get("settings") as Settings;
  }

  /** Inside a commit. */
  set settings(settings: Settings) {
    this.#settings.put("settings", settings);
  }

  /** Sets up an account that the store has never seen. */
  initialise(live: boolean): void {
    this.#live = live;
    this.#unsaved = true;
    this.random = this.#seeded();
    this.#load("identity", { live, registered: false } satisfies Identity);
    this.#load("settings", freshSettings(`whsec_${this.#seeded("webhook secret").letters(32)}`));
    this.#load("wallet", { balance: openingBalance } satisfies WalletState);
    this.#load("clock", this.clock.setting);
    this.activities.log.whyIncomplete = null;
  }

  /** Sets up an account, apart from its jobs, from the state that was loaded. */
  resume(): void {
    upgradeState(this.state);
    this.#live = this.#identity.live;
    if (!this.#sequences.resume()) this.random = this.#seeded();
    this.clock.setting = this.state.get<ClockSetting>("account", "clock") ?? this.clock.setting;
  }

  /**
   * Commits everything that `run` changes or, when it throws, nothing. A nested commit joins the outer one. The clock
   * stands at `at` (ms) while `run` runs. Default: the current instant.
   */
  commit<T>(actor: string, run: () => T, at = this.clock.now()): T {
    if (this.#open) return run();
    if (this.closed) throw new AccountClosed(this.id);
    const before = this.#sequences.mark;
    const outer = this.clock.pin(at);
    const { context } = this.activities;
    this.#open = true;
    this.actor = actor;
    this.state.begin();
    let result: T;
    try {
      result = run();
      this.#sequences.store(before);
      if (this.advancing && this.state.changed) this.#storeInstant(outer);
    } catch (error) {
      this.state.rollback();
      this.activities.rolledBack(context);
      this.#sequences.rollback(before);
      this.clock.setting = this.state.get<ClockSetting>("account", "clock") ?? this.clock.setting;
      this.#hooks = [];
      throw error;
    } finally {
      this.#open = false;
      this.clock.pin(outer);
    }
    const { undo } = this.state;
    const changes = this.state.end();
    this.activities.committed(changes, context);
    if (changes.length > 0) this.history.add(undo, this.activities.log.begun);
    this.#committed(changes);
    return result;
  }

  /** Returns the next request id. The same requests to a fresh sandbox get the same ids. */
  nextRequestId(): string {
    const { seed, id, runId } = this.options;
    this.#requestIds ??= new RequestIds(seed, runId, id);
    return this.#requestIds.idOf(++this.requestCount);
  }

  afterCommit(hook: () => void): void {
    this.#hooks.push(hook);
  }

  /** Inside a commit. */
  setClock(setting: ClockSetting): void {
    this.#storedInstant = null;
    this.clock.setting = setting;
    this.state.put("account", "clock", setting);
    this.afterCommit(() => this.activities.log.clockSet());
  }

  /** Turns a clock paused by a restore into a frozen one, which runs the jobs due at its instant. */
  endPause(): void {
    if (this.clock.paused) this.commit("api", () => this.setClock(this.clock.unpaused()));
  }

  /** Stores the current instant of an advance. Called before the sandbox stops. */
  stopAdvance(): void {
    if (this.advancing) this.commit("clock", () => this.setClock(this.clock.settingAt(this.clock.now())));
  }

  /** Resets the account to the state of one that was never used. */
  reset(): void {
    this.refill(() => this.initialise(this.#live));
  }

  /**
   * Replaces the whole state with the one that `fill` loads, and the jobs with those of `copy` if given. The first line
   * after it carries everything.
   */
  refill(fill: () => void, jobs?: Jobs): void {
    this.#beginEpoch();
    this.jobs.forget();
    this.state.clear();
    this.clock.setting = { offset: 0, frozen_at: null };
    this.requests.clear();
    this.activities.log.clear();
    this.history.clear(this.activities.log.begun);
    this.coverage.clear();
    this.inbox.waiters.forget();
    this.outbox.waiters.forget();
    fill();
    if (jobs) this.jobs.takeFrom(jobs);
    this.#storeEverything();
  }

  /** Undoes commits of the history, all of those since this activity began. Request ids continue as they did then. */
  goBack({ number, requestsBefore }: Activity, undone: readonly Undo[]): void {
    this.#beginEpoch();
    undoAll(undone.flat() as Undo);
    this.requestCount = requestsBefore;
    this.requests.remove(new Set(this.activities.log.dropSince(number).map(({ id }) => id)));
    this.inbox.goBack(number);
    this.outbox.waiters.goBack(number);
    this.resume();
    this.jobs.goBack(undone.flatMap((undo) => changedIds(undo, "jobs")));
    this.#storeEverything();
  }

  /**
   * Returns null if all commits so far are safe, otherwise a promise that resolves when they are. It rejects with
   * AccountClosed when the store could not keep them.
   */
  safe(): Promise<void> | null {
    if (!this.closed && this.log.safe) return null;
    return new Promise((resolve, reject) => {
      const lost = () => reject(new AccountClosed(this.id));
      if (this.closed) lost();
      else this.log.whenSafe((error) => (error ? lost() : resolve()));
    });
  }

  #beginEpoch(): void {
    if (this.closed) throw new AccountClosed(this.id);
    this.epoch++;
    this.#storedInstant = null;
    // Attempts in flight belong to the old epoch: an advance in the new one must not wait for them.
    this.inFlight.clear();
  }

  /** Stores the whole state as one commit. */
  #storeEverything(): void {
    this.#unsaved = false;
    this.log.append(wholeState(this.state));
    this.options.onCommit();
  }

  /** Inside a commit of an advance: stores its instant together with the records made at it. */
  #storeInstant(pinned: number | null): void {
    if (pinned === null || pinned === this.#storedInstant) return;
    this.setClock(this.clock.settingAt(pinned));
    this.#storedInstant = pinned;
  }

  #committed(changes: Change[]): void {
    const hooks = this.#hooks.splice(0);
    if (changes.length > 0) {
      this.log.append(this.#unsaved ? this.state.everything() : changes);
      this.#unsaved = false;
      this.options.onCommit();
    }
    if (hooks.length > 0) {
      this.log.whenSafe((error) => {
        if (!error) for (const hook of hooks) hook();
      });
    }
    this.jobs.settle();
  }

  #load(id: string, value: unknown): void {
    this.state.load("account", id, JSON.stringify(value));
  }

  #seeded(purpose = ""): Random {
    const { seed, account } = this.origin;
    return Random.seeded(seed, account, purpose);
  }
}
