/** The proofs of a domain that the tester publishes, in place of DNS and web. */
import type { Account } from "../../world/account.js";
import type { ProofMethod } from "./schemas.js";

type Published = Partial<Record<ProofMethod, string>>;

const table = "domain_proofs";

/** Inside a commit: what was published there before is replaced. */
export function publish({ state }: Account, domain: string, method: ProofMethod, value: string): void {
  state.put(table, domain, { ...state.get<Published>(table, domain), [method]: value });
}

/** The proof that shows the token; the DNS record where both do. White space around a file's content is nothing. */
export function publishedProof({ state }: Account, domain: string, token: string): ProofMethod | null {
  const { dns_txt, well_known_file } = state.get<Published>(table, domain) ?? {};
  if (dns_txt === token) return "dns_txt";
  return well_known_file?.trim() === token ? "well_known_file" : null;
}
