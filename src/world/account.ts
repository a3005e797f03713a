/** One API key's world: state, clock, money, messages, events. Changed by commits alone. */
import type { AccountOptions } from "./account-options.js";
import {
  freshSettings,
  type Identity,
  type Origin,
  openingBalance,
  type Settings,
} from "./account-settings.js";
import { CachedRecord } from "./cached-record.js";
import { Coverage } from "./coverage.js";
import { Inbox } from "./inbox.js";
import { FreeTier } from "./money/free-tier.js";
import { Ledger } from "./money/ledger.js";
import { Wallet, type WalletState } from "./money/wallet.js";
import { Outbox } from "./outbox/outbox.js";
import { Records } from "./records.js";
import { RequestJournal } from "./request-journal.js";
import { AccountSequences } from "./sequences.js";
import type { Change, State } from "./store/state.js";
import type { AccountLog } from "./store/store.js";
import { Clock, type ClockSetting } from "./time/clock.js";
import { Jobs } from "./time/jobs.js";
import { Random } from "./time/random.js";
import { realNow } from "./time/time.js";

/** The account was closed (evicted, or taken back to what is on disk) while something still held it. */
export class AccountClosed extends Error {}

export class Account {
  readonly id: string;
  readonly state: State;
  readonly clock = new Clock();
  readonly jobs: Jobs;
  readonly records = new Records(this);
  readonly wallet: Wallet;
  readonly freeTier = new FreeTier(this);
  readonly ledger = new Ledger(this);
  readonly inbox = new Inbox(this);
  readonly outbox = new Outbox(this);
  readonly requests = new RequestJournal();
  readonly coverage: Coverage;
  random: Random;
  /** Who the open commit works for; stands in the history of what it moves. */
  actor = "api";
  /** Attempts that are on the wire. */
  readonly inFlight = new Set<Promise<void>>();
  /** Set while the clock is being advanced: endpoints that timed out on the way. */
  advancing: Set<string> | null = null;
  /** Grows with each reset: what began before one must not end after it. */
  epoch = 0;
  /** Real time of the last request. */
  lastUsed = realNow();
  requestCount = 0;
  closed = false;

  #live = false;
  /** The store has not seen this account yet: its first line carries everything. */
  #unsaved = false;
  #open = false;
  readonly #settings: CachedRecord<Settings>;
  #hooks: (() => void)[] = [];
  #requestPrefix: string | null = null;
  readonly #sequences = new AccountSequences(this);

  constructor(readonly options: AccountOptions) {
    this.id = options.id;
    this.state = options.state;
    this.coverage = new Coverage(options.coverage);
    this.#settings = new CachedRecord(this.state, "account");
    this.jobs = new Jobs(this.state);
    this.wallet = new Wallet(this.state, () => this.clock.today());
    this.random = this.#seeded();
  }

  get live(): boolean {
    return this.#live;
  }

  get log(): AccountLog {
    return this.options.log;
  }

  /** Nothing was ever changed. */
  get untouched(): boolean {
    return this.#unsaved;
  }

  /** The key was registered with the control API. */
  get registered(): boolean {
    return this.#identity.registered;
  }

  /** Inside a commit. */
  register(): void {
    this.state.put("account", "identity", { ...this.#identity, registered: true });
  }

  /** What is drawn from it alone is the same each time: the account's own, or that of the snapshot put here. */
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

  /** A world that the store has never seen. */
  initialise(live: boolean): void {
    this.#live = live;
    this.#unsaved = true;
    this.random = this.#seeded();
    this.#load("identity", { live, registered: false } satisfies Identity);
    this.#load("settings", freshSettings(`whsec_${this.#seeded("webhook secret").letters(32)}`));
    this.#load("wallet", { balance: openingBalance } satisfies WalletState);
    this.#load("clock", this.clock.setting);
  }

  /** Takes up what the store has read into the state. */
  resume(): void {
    this.#live = this.#identity.live;
    if (!this.#sequences.resume()) this.random = this.#seeded();
    this.clock.setting = this.state.get<ClockSetting>("account", "clock") ?? this.clock.setting;
    this.jobs.reload();
  }

  /**
   * Everything that `run` changes, or, when it throws, nothing. A commit within a commit joins it.
   * The clock stands while it runs: at `at` (ms), or at this moment.
   */
  commit<T>(actor: string, run: () => T, at = this.clock.now()): T {
    if (this.#open) return run();
    if (this.closed) throw new AccountClosed(this.id);
    const before = this.#sequences.mark;
    const outer = this.clock.pin(at);
    this.#open = true;
    this.actor = actor;
    this.state.begin();
    let result: T;
    try {
      result = run();
      this.#sequences.keep(before);
    } catch (error) {
      this.state.rollback();
      this.#sequences.rollback(before);
      this.clock.setting = this.state.get<ClockSetting>("account", "clock") ?? this.clock.setting;
      this.#hooks = [];
      throw error;
    } finally {
      this.#open = false;
      this.clock.pin(outer);
    }
    this.#committed(this.state.end());
    return result;
  }

  /** The same sequence of requests gets the same ids. */
  nextRequestId(): string {
    this.#requestPrefix ??= `req_${this.#seeded("requests").letters(8)}`;
    return this.#requestPrefix + (++this.requestCount).toString(36).padStart(6, "0");
  }

  /** Inside a commit: once its line is safe. */
  afterCommit(hook: () => void): void {
    this.#hooks.push(hook);
  }

  /** Inside a commit. */
  setClock(setting: ClockSetting): void {
    this.clock.setting = setting;
    this.state.put("account", "clock", setting);
  }

  /** Back to a world that was never used. */
  reset(): void {
    this.refill(() => this.initialise(this.#live));
  }

  /** A world anew, of what `fill` loads into the empty state; the first line after it carries everything. */
  refill(fill: () => void): void {
    if (this.closed) throw new AccountClosed(this.id);
    this.epoch++;
    this.state.clear();
    this.clock.setting = { offset: 0, frozen_at: null };
    this.requestCount = 0;
    this.jobs.nextOrder = 0;
    this.requests.clear();
    this.coverage.clear();
    this.#requestPrefix = null;
    // What is on the wire is the old world's: an advance of the new one has nothing to wait for.
    this.inFlight.clear();
    this.inbox.waits.forget();
    this.outbox.waits.forget();
    this.#unsaved = false;
    fill();
    this.jobs.reload();
    this.log.append([["*", "*", null], ...this.state.everything()]);
    this.options.onCommit(this);
  }

  /** Resolves when all that was committed is safe; rejects with AccountClosed when the store could not keep it. */
  safe(): Promise<void> {
    return new Promise((resolve, reject) => {
      const lost = () => reject(new AccountClosed(this.id));
      if (this.closed) lost();
      else this.log.whenSafe((error) => (error ? lost() : resolve()));
    });
  }

  #committed(changes: Change[]): void {
    const hooks = this.#hooks.splice(0);
    if (changes.length > 0) {
      this.log.append(this.#unsaved ? this.state.everything() : changes);
      this.#unsaved = false;
      this.options.onCommit(this);
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
