/**
 * Unique references of virtual accounts, payouts and refunds; assumptions business.reference and
 * business.reference_reuse.
 */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import { table } from "../../world/store/table.js";

/** References in use, with the prefix of their kind. */
const references = table<{ taken_at: string }>("business_references");

export const isReferenceTaken = (account: Account, prefix: string, reference: string): boolean =>
  account.state.has(references, `${prefix}:${reference}`);

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
  account.state.put(references, `${prefix}:${reference}`, { taken_at: account.clock.iso() });
  return reference;
}
