/** The account's own records, such as its identity and settings, the origin of its randomness, and its first free calls. */

import { openingBalance } from "../../contract/money.js";
import type { ClockSetting } from "../../time/clock.js";
import { Random, type RandomState } from "../../time/random.js";
import { CachedRecord, type State } from "../store/state.js";
import { fixedTable, ownTable, table } from "../store/table.js";

export interface AccountSettings {
  plan: "starter" | "growth" | "business";
  tools_pass: boolean;
  business_verified: boolean;
  /** Free number lookups per month. */
  free_tier: number;
  /** Free lookups left in the month `free_tier_month`, after the last one was used. */
  free_tier_remaining: number;
  /** Month of `free_tier_remaining`, as YYYY-MM. */
  free_tier_month: string;
  webhook_secret: string;
  /** Value of every one-time code with this number of digits. Null or absent if codes are drawn. */
  code?: string | null;
  /** Name that the tester gave the account. Null or absent if it has none. */
  name?: string | null;
}

/** Settings that the operator fixes for an account. */
export type FixedSettings = Partial<Pick<AccountSettings, "webhook_secret" | "code">>;

/** Seeds of the account's random numbers and of its generated people, documents and phone lines. */
export interface Origin {
  /** Seed of the sandbox. */
  seed: string;
  /** Id of the account. */
  account: string;
}

export interface Identity {
  live: boolean;
  /** Whether the key was registered with the control API. */
  registered: boolean;
}

export interface WalletState {
  /** Balance of the wallet in kobo. */
  balance: number;
}

/** Positions of the sequences, as they are stored. */
export interface SequencesRecord {
  random: RandomState;
  /** Order of the next job. */
  jobs: number;
}

interface OwnRows {
  identity: Identity;
  settings: AccountSettings;
  wallet: WalletState;
  clock: ClockSetting;
  /** Absent unless a snapshot was restored. */
  origin: Origin;
  sequences: SequencesRecord;
}

export const ownRecords = fixedTable<OwnRows>(ownTable.name, { internal: true });

export const freshSettings = (webhook_secret: string): AccountSettings => ({
  plan: "business",
  tools_pass: false,
  business_verified: false,
  free_tier: 0,
  free_tier_remaining: 0,
  free_tier_month: "",
  webhook_secret,
});

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

  /** Must be set inside a commit. */
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

export const freeFirsts = table<{ at: string }>("free_firsts");

/** Converts a record to the form of this version. Earlier versions stored the time of a first free call as a string. */
export const upgradeRecord = (table: string, record: unknown): unknown =>
  table === freeFirsts.name && typeof record === "string" ? { at: record } : record;

/** Upgrades the records of a loaded state. */
export function upgradeState(state: State): void {
  for (const id of [...state.ids(freeFirsts)]) {
    const record: unknown = state.get(freeFirsts, id);
    if (typeof record === "string") state.fill(freeFirsts, { [id]: { at: record } });
  }
}
