/** Interface: "Domain ownership" in States and transitions. */
import type { Account } from "../../world/account/account.js";
import { machine, type Stored } from "../../world/records/machine.js";
import { inputField, refuseInput } from "../move-input.js";
import { type ProofMethod, wellKnownPath } from "./schemas.js";

export interface DomainFields {
  domain: string;
  /** Content of either proof. */
  token: string;
  /** Proof that was found; null until then. */
  method: ProofMethod | null;
}

export type DomainRecord = Stored<DomainFields>;

export const recordName = (domain: string): string => `_service-verify.${domain}`;
export const fileUrl = (domain: string): string => `https://${domain}${wellKnownPath}`;

/** Records the proof. `method` in the input defaults to the DNS record. */
function recordProof(record: DomainRecord, _account: Account, input: unknown): void {
  const method = inputField(input, "method") ?? "dns_txt";
  if (method !== "dns_txt" && method !== "well_known_file")
    return refuseInput("method", "dns_txt or well_known_file", method);
  record.method = method;
}

export const viewDomain = ({ id, domain, token }: DomainRecord) => ({
  id,
  domain,
  token,
  dns_txt: { record: recordName(domain), type: "TXT" as const, value: token },
  well_known_file: { path: wellKnownPath as typeof wellKnownPath, url: fileUrl(domain), content: token },
});

export const domain = machine<DomainFields, Account>()({
  name: "domain",
  prefix: "dom_",
  moves: {
    start: { from: "new", to: "pending" },
    prove: { from: "pending", to: "verified", effect: recordProof },
  },
  view: viewDomain,
});
