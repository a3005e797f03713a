/** What an account is told about itself: records of its own state, one each. */
import type { Kobo } from "./money/money.js";
import type { RandomState } from "./time/random.js";

export interface Settings {
  plan: "starter" | "growth" | "business";
  tools_pass: boolean;
  business_verified: boolean;
  /** Free calls a month of the number lookups, and how many were left when one was last used, in that month. */
  free_tier: number;
  free_tier_remaining: number;
  /** YYYY-MM. */
  free_tier_month: string;
  webhook_secret: string;
}

/** NGN 1,000,000 of play money. */
export const openingBalance: Kobo = 100_000_000;

/** Where the account's random numbers and request ids stand. */
export interface Sequences {
  random: RandomState;
  requests: number;
  /** The turn of the next job. */
  jobs: number;
}

/** What people, documents and the main line are drawn from. */
export interface Origin {
  /** The sandbox's. */
  seed: string;
  /** The account's id. */
  account: string;
}

export interface Identity {
  live: boolean;
  registered: boolean;
}

export const freshSettings = (webhook_secret: string): Settings => ({
  plan: "business",
  tools_pass: false,
  business_verified: false,
  free_tier: 0,
  free_tier_remaining: 0,
  free_tier_month: "",
  webhook_secret,
});
