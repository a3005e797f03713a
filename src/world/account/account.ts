/** An account: the isolated world of one API key. Its state changes only through commits. */

import { Clock, type ClockSetting } from "../../time/clock.js";
import type { Random } from "../../time/random.js";
import { afterTick, realNow } from "../../time/time.js";
import { Activities } from "../activity/activities.js";
import { Coverage } from "../activity/coverage.js";
import { type JournalEntry, RequestIds, RequestJournal } from "../activity/request-journal.js";
import { Jobs } from "../jobs/jobs.js";
import { Ledger } from "../money/ledger.js";
import { FreeTier, Wallet } from "../money/wallet.js";
import type { AccountContext } from "../records/account-context.js";
import {
  type AccountSettings,
  type FixedSettings,
  type Origin,
  OwnRecords,
  upgradeState,
} from "../records/account-settings.js";
import { Records } from "../records/records.js";
import type { RequestLog } from "../store/request-log.js";
import type { State } from "../store/state.js";
import type { AccountLog } from "../store/store.js";
import { type DeliveryTarget, delivery, type WebhookAssumptions } from "../webhooks/delivery.js";
import { type DeliveryPlan, Outbox, pastTotal, type SentEvent } from "../webhooks/outbox.js";
import { Commits, History } from "./commits.js";
import { Held } from "./held.js";
import { Inbox } from "./inbox.js";

/** Settings and services that the sandbox gives to each of its accounts. */
export interface AccountEnvironment {
  /** Seed of the sandbox. Values drawn from it alone are the same on every account. */
  seed: string;
  /** The assumptions that accounts follow, by their ids. Default: the values of the catalogue. */
  assumptions?: Partial<WebhookAssumptions & { "charging.test_keys": "debited" | "free" }>;
  /** Settings that one account gets whenever it is new. Default: none. */
  fixedSettings?: { account: string; settings: FixedSettings };
  /** Adds records to every account that is new or was reset. Default: none. */
  fillFresh?(account: Account): void;
  /** Called with an account before a reset or a restore deletes its history. Default: none. */
  beforeRefill?(account: Account): void;
  /** Returns the faults of an event's deliveries. Default: none. */
  planDelivery?(account: Account, sent: SentEvent, target: DeliveryTarget): DeliveryPlan | null;
  /** Removes the secrets of a request. Without it, request journals are kept in memory alone. */
  redactRequest?(entry: JournalEntry): JournalEntry;
  /** Returns the base URL of the sandbox's pages, without a trailing slash. */
  baseUrl(): string;
  /** Returns the URL at which the process reaches itself, without a trailing slash. Default: null, for none. */
  ownUrl?(): string | null;
}

/** State and parts of one account. */
export interface AccountParts {
  id: string;
  /** Distinguishes this run of the sandbox from earlier ones on the same data. */
  runId: string;
  state: State;
  log: AccountLog;
  /** Log that stores the request journal, or null if it is not stored. */
  requestLog: RequestLog | null;
  /** Coverage of the whole sandbox. */
  coverage: Coverage;
  /** Called after each commit, before its line is safe. */
  onCommit(): void;
}

const unchanged = (entry: JournalEntry): JournalEntry => entry;

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
  readonly held = new Held();
  readonly activities = new Activities(this);
  readonly history = new History();
  readonly outbox: Outbox;
  readonly own: OwnRecords;
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
  /** Whether any request, including reads of the control API, has used this account since the process started. */
  isAddressed = false;
  /** Real time of the last request. */
  lastUsed = realNow();
  /**
   * Number of request ids given out since the process started. Only a rewind lowers it: otherwise, no request id
   * repeats.
   */
  requestCount = 0;
  closed = false;
  /** Real time at which this replica has taken the account over from another one or from the store, or null. */
  takenOverAt: number | null = null;

  #live = false;
  readonly #commits: Commits;
  #requestIds: RequestIds | null = null;
  #baseUrl: string | null = null;

  constructor(
    readonly options: AccountEnvironment,
    readonly parts: AccountParts,
  ) {
    const { assumptions = {}, redactRequest = unchanged } = options;
    this.id = parts.id;
    this.state = parts.state;
    this.requests = new RequestJournal(parts.requestLog, redactRequest);
    this.coverage = new Coverage(parts.coverage);
    this.own = new OwnRecords(this.state, { seed: options.seed, account: this.id });
    this.jobs = new Jobs(this.state, () => this.activities.contextId);
    this.wallet = new Wallet(this.state, {
      today: () => this.clock.today(),
      isDebited: () => this.#live || assumptions["charging.test_keys"] !== "free",
    });
    this.outbox = new Outbox(this, {
      assumptions,
      planDelivery: (sent, target) => options.planDelivery?.(this, sent, target) ?? null,
    });
    this.random = this.own.seeded();
    this.#commits = new Commits(this);
  }

  get live(): boolean {
    return this.#live;
  }

  /** The URL under which people and clients reach the sandbox, without a trailing slash. */
  get baseUrl(): string {
    return this.#baseUrl ?? this.options.baseUrl();
  }

  /** Each request sets it to the address at which it arrived. */
  set baseUrl(url: string) {
    this.#baseUrl = url;
  }

  get log(): AccountLog {
    return this.parts.log;
  }

  /** Whether no commit has ever changed this account. */
  get untouched(): boolean {
    return this.#commits.isUnsaved;
  }

  /** Whether a commit has ever changed this account, or a request was made since the process started. */
  get isUsed(): boolean {
    return !this.untouched || this.isAddressed;
  }

  get registered(): boolean {
    return this.own.identity.registered;
  }

  get origin(): Origin {
    return this.own.origin;
  }

  get settings(): Readonly<AccountSettings> {
    return this.own.settings;
  }

  /** Must be set inside a commit. */
  set settings(settings: AccountSettings) {
    this.own.settings = settings;
  }

  /** Sets up an account that the store has never seen. */
  initialise(live: boolean): void {
    this.#live = live;
    this.#commits.isUnsaved = true;
    this.random = this.own.seeded();
    const { fixedSettings, fillFresh } = this.options;
    const fixed = fixedSettings?.account === this.id ? fixedSettings.settings : {};
    this.own.loadFresh(live, this.clock.setting, fixed);
    fillFresh?.(this);
    this.activities.log.whyIncomplete = null;
  }

  /** Sets up an account, apart from its jobs, from the state that was loaded. */
  resume(): void {
    upgradeState(this.state);
    this.#live = this.own.identity.live;
    if (!this.#commits.sequences.resume()) this.random = this.own.seeded();
    this.#commits.resumeClock();
  }

  /** Gives a stored account the settings that the operator has fixed. A new account has them from the start. */
  fixSettings(fixed: FixedSettings): void {
    const { settings } = this;
    const names = Object.keys(fixed) as (keyof FixedSettings)[];
    if (names.every((name) => settings[name] === fixed[name])) return;
    this.commit("control", () => {
      this.settings = { ...settings, ...fixed };
    });
  }

  /**
   * Commits everything that `run` changes, or nothing if it throws. A nested commit joins the outer one. The clock
   * stands at `at` (ms) while `run` runs. Default: the current instant.
   */
  commit<T>(actor: string, run: () => T, at = this.clock.now()): T {
    return this.#commits.run(actor, run, at);
  }

  /** Returns the next request id. The same requests to a fresh sandbox get the same ids. */
  nextRequestId(): string {
    const { id, runId } = this.parts;
    this.#requestIds ??= new RequestIds(this.options.seed, runId, id);
    return this.#requestIds.idOf(++this.requestCount);
  }

  afterCommit(hook: () => void): void {
    this.#commits.afterCommit(hook);
  }

  /** Sets the clock. Must be called inside a commit. */
  setClock(setting: ClockSetting): void {
    this.#commits.setClock(setting);
  }

  /** Turns a clock paused by a restore into a frozen one, which runs the jobs due at its instant. */
  endPause(): void {
    const { clock } = this;
    if (clock.paused) this.commit("api", () => this.setClock(clock.unpaused()));
  }

  /** Stores the current instant of an advance that is under way. Called before the sandbox stops. */
  storeInstant(): void {
    const { advancing, clock } = this;
    if (advancing) this.commit("clock", () => this.setClock(clock.settingAt(clock.now())));
  }

  /** Removes the oldest log records whenever the logs of all accounts exceed their totals. */
  limitLogs(): void {
    this.state.onExcess = () => afterTick(() => this.#removeExcess());
  }

  #removeExcess(): void {
    const excess = this.state.takeExcess();
    if (this.closed || excess.length === 0) return;
    this.commit("clock", () => {
      for (const [name, id] of excess) {
        if (name === delivery.name) this.outbox.endUnsent(id, pastTotal);
        this.state.delete({ name }, id);
      }
    });
  }

  /** Begins an epoch, before a reset, a restore or a rewind changes the state. */
  beginEpoch(): void {
    this.#commits.refuseIfClosed();
    this.epoch++;
    this.held.release();
    // Attempts in flight belong to the old epoch: an advance in the new one must not wait for them.
    this.inFlight.clear();
  }

  /** Stores the whole state, which something other than a commit has replaced. */
  storeEverything(): void {
    this.#commits.storeEverything();
  }

  /**
   * Returns null if all commits so far are safe, otherwise a promise that resolves when they are. It rejects with
   * AccountClosed when the store could not keep them.
   */
  safe(): Promise<void> | null {
    return this.#commits.safe();
  }
}
