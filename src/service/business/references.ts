/**
 * Unique references of virtual accounts, payouts and refunds; assumptions business.reference and
 * business.reference_reuse.
 */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";

export const isReferenceTaken = (account: Account, prefix: string, reference: string): boolean =>
  account.state.has("business_references", `${prefix}:${reference}`);

/**
 * Reserves the given reference, or a generated one such as `po-k3v9x2m7qa`. Refuses a reference that is in use with
 * 409. Call inside a commit.
 */
export function takeReference(account: Account, prefix: string, given?: string): string {
  const reference = given ?? `${prefix}-${account.random.letters(10)}`;
  if (isReferenceTaken(account, prefix, reference)) {
    const message = `${JSON.stringify(reference.slice(0, 60))} is already in use; references must be unique.`;
    return refuse("duplicate_reference", { param: "reference", message });
  }
  account.state.put("business_references", `${prefix}:${reference}`, { taken_at: account.clock.iso() });
  return reference;
}
