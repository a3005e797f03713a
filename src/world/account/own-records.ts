/** The account's own records: whose it is, its settings and the origin of its randomness. */

import { openingBalance } from "../../contract/money.js";
import type { ClockSetting } from "../../time/clock.js";
import { Random } from "../../time/random.js";
import {
  type AccountSettings,
  type FixedSettings,
  freshSettings,
  type Identity,
  type Origin,
  ownRecords,
} from "../records/account-settings.js";
import { CachedRecord } from "../store/cached-record.js";
import type { State } from "../store/state.js";

export class OwnRecords {
  readonly #settings;

  constructor(
    readonly state: State,
    /** Seeds of an account into which no snapshot was restored. */
    readonly ownOrigin: Origin,
  ) {
    this.#settings = new CachedRecord(state, ownRecords);
  }

  get identity(): Identity {
    return this.state.get(ownRecords, "identity") as Identity;
  }

  /** Inside a commit: notes that the key was registered with the control API. */
  register(): void {
    this.state.put(ownRecords, "identity", { ...this.identity, registered: true });
  }

  get settings(): Readonly<AccountSettings> {
    return this.#settings.get("settings") as AccountSettings;
  }

  /** Inside a commit. */
  set settings(settings: AccountSettings) {
    this.#settings.put("settings", settings);
  }

  /** The account's own seeds, or the seeds of the snapshot that was restored here. */
  get origin(): Origin {
    return this.state.get(ownRecords, "origin") ?? this.ownOrigin;
  }

  /** Returns random numbers for a purpose, the same for each account of this origin. */
  seeded(purpose = ""): Random {
    const { seed, account } = this.origin;
    return Random.seeded(seed, account, purpose);
  }

  /** Loads the records of an account that was never used. */
  loadFresh(live: boolean, clock: ClockSetting, fixed: FixedSettings): void {
    this.state.fill(ownRecords, {
      identity: { live, registered: false },
      settings: { ...freshSettings(`whsec_${this.seeded("webhook secret").letters(32)}`), ...fixed },
      wallet: { balance: openingBalance },
      clock,
    });
  }
}
