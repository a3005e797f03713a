/** The records of an account's own table, such as its identity and settings, and other records with fixed ids. */
import type { ClockSetting } from "../../time/clock.js";
import type { RandomState } from "../../time/random.js";
import { fixedTable, ownTable } from "../store/table.js";

export interface AccountSettings {
  plan: "starter" | "growth" | "business";
  tools_pass: boolean;
  business_verified: boolean;
  /** Free number lookups per month. */
  free_tier: number;
  /** Free lookups left in the month `free_tier_month`, after the last one was used. */
  free_tier_remaining: number;
  /** YYYY-MM. */
  free_tier_month: string;
  webhook_secret: string;
  /** Every one-time code with this number of digits. Null or absent: codes are drawn. */
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
  /** Kobo. */
  balance: number;
}

/** Positions of the sequences, as they are stored. */
export interface SequencesRecord {
  random: RandomState;
  /** Order of the next job. */
  jobs: number;
}

interface OwnRecords {
  identity: Identity;
  settings: AccountSettings;
  wallet: WalletState;
  clock: ClockSetting;
  /** Absent unless a snapshot was restored. */
  origin: Origin;
  sequences: SequencesRecord;
}

export const ownRecords = fixedTable<OwnRecords>(ownTable.name, { internal: true });

export const freshSettings = (webhook_secret: string): AccountSettings => ({
  plan: "business",
  tools_pass: false,
  business_verified: false,
  free_tier: 0,
  free_tier_remaining: 0,
  free_tier_month: "",
  webhook_secret,
});
