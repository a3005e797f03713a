/** The domains of an account, each with one verification. */
import type { Account } from "../../world/account/account.js";
import { table } from "../../world/store/table.js";
import { toDomain } from "./domain-names.js";
import { type DomainRecord, domain } from "./machine.js";

/** The verifications of domains, by domain. */
const domains = table<{ domain_id: string }>("domains");

export function findDomain(account: Account, name: string): DomainRecord | null {
  const entry = account.state.get(domains, name);
  return (entry && account.records.get(domain, entry.domain_id)) ?? null;
}

/** Starts the verification of a domain. Call inside a commit. */
export function startDomain(account: Account, name: string): DomainRecord {
  const token = account.random.letters(32);
  const record = account.records.start(domain, "start", { domain: name, token, method: null });
  account.state.put(domains, name, { domain_id: record.id });
  return record;
}

/**
 * Returns whether the host is verified, itself by either proof or a parent domain by DNS; assumption domains.scope. A file
 * proves only its own host.
 */
export function isVerifiedHost(account: Account, host: string): boolean {
  const labels = toDomain(host)?.split(".") ?? [];
  return labels.some((_label, depth) => {
    const record = findDomain(account, labels.slice(depth).join("."));
    return record?.state === "verified" && (depth === 0 || record.method === "dns_txt");
  });
}
