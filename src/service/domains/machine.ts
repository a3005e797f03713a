/** Interface: "Domain ownership" in States and transitions. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { machine, type Stored } from "../../world/machine.js";
import { type ProofMethod, wellKnownPath } from "./schemas.js";

export interface DomainFields {
  domain: string;
  /** What either proof shows. */
  token: string;
  /** The proof that was found. */
  method: ProofMethod | null;
}

export type DomainRecord = Stored<DomainFields>;

export const recordName = (name: string): string => `_service-verify.${name}`;
export const fileUrl = (name: string): string => `https://${name}${wellKnownPath}`;

export const viewDomain = ({ id, domain, token }: DomainRecord) => ({
  id,
  domain,
  token,
  dns_txt: { record: recordName(domain), type: "TXT" as const, value: token },
  well_known_file: { path: wellKnownPath as typeof wellKnownPath, url: fileUrl(domain), content: token },
});

/** A move by hand may leave out which proof it stands for. */
function methodIn(input: unknown): ProofMethod {
  const { method = "dns_txt" } = (input ?? {}) as { method?: unknown };
  if (method === "dns_txt" || method === "well_known_file") return method;
  return refuse("validation_error", {
    param: "method",
    message: "method must be dns_txt or well_known_file.",
  });
}

export const domain = machine<DomainFields, Account>()({
  name: "domain",
  prefix: "dom_",
  moves: {
    start: { from: "new", to: "pending" },
    prove: {
      from: "pending",
      to: "verified",
      effect(record, _account, input) {
        record.method = methodIn(input);
      },
    },
  },
  view: viewDomain,
});

/** An account has one verification of each domain. */
const table = "domains";

export function findDomain(account: Account, name: string): DomainRecord | null {
  const entry = account.state.get<{ domain_id: string }>(table, name);
  return (entry && account.records.get(domain, entry.domain_id)) ?? null;
}

/** Inside a commit. */
export function startDomain(account: Account, name: string): DomainRecord {
  const token = account.random.letters(32);
  const record = account.records.start(domain, "start", { domain: name, token, method: null });
  account.state.put(table, name, { domain_id: record.id });
  return record;
}
