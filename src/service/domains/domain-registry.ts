/** Whose tests an account may run (interface: "Website audits and domains"); assumption domains.scope. */
import type { Account } from "../../world/account.js";
import { toDomain } from "./domain-names.js";
import { findDomain } from "./machine.js";

/** The host has been verified, or a domain above it has by its DNS: a file speaks for its own host alone. */
export function verifiedDomain(account: Account, host: string): boolean {
  const labels = toDomain(host)?.split(".") ?? [];
  return labels.some((_label, above) => {
    const record = findDomain(account, labels.slice(above).join("."));
    return record?.state === "verified" && (above === 0 || record.method === "dns_txt");
  });
}
