/** The account's own records: whose it is, its settings and the origin of its randomness. */

import type { ClockSetting } from "../../time/clock.js";
import { Random } from "../../time/random.js";
import { openingBalance } from "../money/money.js";
import type { WalletState } from "../money/wallet.js";
import { freshSettings, type Identity, type Origin, type Settings } from "../records/account-settings.js";
import { CachedRecord } from "../records/cached-record.js";
import type { State } from "../store/state.js";

export class OwnRecords {
  readonly #settings: CachedRecord<Settings>;

  constructor(
    readonly state: State,
    /** Seeds of an account into which no snapshot was restored. */
    readonly ownOrigin: Origin,
  ) {
    this.#settings = new CachedRecord(state, "account");
  }

  get identity(): Identity {
    return this.state.get<Identity>("account", "identity") as Identity;
  }

  /** Inside a commit: notes that the key was registered with the control API. */
  register(): void {
    this.state.put("account", "identity", { ...this.identity, registered: true });
  }

  get settings(): Readonly<Settings> {
    return this.#settings.get("settings") as Settings;
  }

  /** Inside a commit. */
  set settings(settings: Settings) {
    this.#settings.put("settings", settings);
  }

  /** The account's own seeds, or those of the snapshot that was restored here. */
  get origin(): Origin {
    return this.state.get<Origin>("account", "origin") ?? this.ownOrigin;
  }

  /** Returns random numbers for a purpose, the same for each account of this origin. */
  seeded(purpose = ""): Random {
    const { seed, account } = this.origin;
    return Random.seeded(seed, account, purpose);
  }

  /** Loads the records of an account that was never used. */
  loadFresh(live: boolean, clock: ClockSetting): void {
    this.#load("identity", { live, registered: false } satisfies Identity);
    this.#load("settings", freshSettings(`whsec_${this.seeded("webhook secret").letters(32)}`));
    this.#load("wallet", { balance: openingBalance } satisfies WalletState);
    this.#load("clock", clock);
  }

  #load(id: string, value: unknown): void {
    this.state.load("account", id, JSON.stringify(value));
  }
}
