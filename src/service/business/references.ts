/**
 * References of virtual accounts, payouts and refunds: generated where none is given, used once; assumptions
 * business.reference and business.reference_reuse.
 */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";

/** Somebody has this reference already. */
export const isTaken = (account: Account, prefix: string, reference: string): boolean =>
  account.state.has("business_references", `${prefix}:${reference}`);

/** Inside a commit: `po-0123456789`, or the caller's own. */
export function takeReference(account: Account, prefix: string, given?: string): string {
  const reference = given ?? `${prefix}-${account.random.letters(10)}`;
  if (isTaken(account, prefix, reference)) {
    const message = `${JSON.stringify(reference.slice(0, 60))} is in use already; references are unique.`;
    return refuse("duplicate_reference", { param: "reference", message });
  }
  account.state.put("business_references", `${prefix}:${reference}`, { taken_at: account.clock.iso() });
  return reference;
}
