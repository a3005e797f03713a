/** The records of an account's own table: identity, settings and the origin of its randomness. */

export interface Settings {
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
}

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

export const freshSettings = (webhook_secret: string): Settings => ({
  plan: "business",
  tools_pass: false,
  business_verified: false,
  free_tier: 0,
  free_tier_remaining: 0,
  free_tier_month: "",
  webhook_secret,
});
