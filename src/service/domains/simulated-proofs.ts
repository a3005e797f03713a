/** Simulated proofs that the tester publishes for a domain, instead of in the DNS or on the web. */
import type { Account } from "../../world/account/account.js";
import { table } from "../../world/store/table.js";
import type { ProofMethod } from "./schemas.js";

type Published = Partial<Record<ProofMethod, string>>;

export const domainProofs = table<Published>("domain_proofs");

/** Publishes a proof and replaces an earlier one of the same method. Call inside a commit. */
export function publishProof({ state }: Account, domain: string, method: ProofMethod, value: string): void {
  state.put(domainProofs, domain, { ...state.get(domainProofs, domain), [method]: value });
}

/**
 * Returns the proof that contains the token, or null. The DNS record takes precedence; white space around a file's
 * content is ignored.
 */
export function findSimulatedProof({ state }: Account, domain: string, token: string): ProofMethod | null {
  const { dns_txt, well_known_file } = state.get(domainProofs, domain) ?? {};
  if (dns_txt === token) return "dns_txt";
  return well_known_file?.trim() === token ? "well_known_file" : null;
}
