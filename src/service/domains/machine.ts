/** Interface: "Domain ownership" in States and transitions. */
import type { Stored } from "../../world/records/machine.js";
import { machine } from "../machine.js";
import { inputField, refuseInput } from "../move-input.js";
import { type ProofMethod, wellKnownPath } from "./schemas.js";

export interface DomainFields {
  domain: string;
  /** Content of either proof. */
  token: string;
  /** Proof that was found; null until then. */
  method: ProofMethod | null;
}

const states = ["pending", "verified"] as const;

export type DomainRecord = Stored<DomainFields, (typeof states)[number]>;

export const recordName = (domain: string): string => `_service-verify.${domain}`;
export const fileUrl = (domain: string): string => `https://${domain}${wellKnownPath}`;

/** Reads the `method` of the proof. Default: the DNS record. */
function readMethod(input: unknown): ProofMethod {
  const method = inputField(input, "method") ?? "dns_txt";
  if (method === "dns_txt" || method === "well_known_file") return method;
  return refuseInput("method", "dns_txt or well_known_file", method);
}

export const domain = machine<DomainFields>()({
  name: "domain",
  prefix: "dom_",
  states,
  moves: {
    start: {
      from: "new",
      to: "pending",
      says: ({ domain }) => `Proof that ${domain} is yours was asked for.`,
    },
    prove: {
      from: "pending",
      to: "verified",
      input: readMethod,
      effect(record, _account, method) {
        record.method = method;
      },
      says: ({ domain, method }) =>
        `${domain} was proved to be yours by ${method === "dns_txt" ? "a DNS record" : "a file on the site"}.`,
    },
  },
  view: ({ id, domain, token }) => ({
    id,
    domain,
    token,
    dns_txt: { record: recordName(domain), type: "TXT" as const, value: token },
    well_known_file: { path: wellKnownPath as typeof wellKnownPath, url: fileUrl(domain), content: token },
  }),
});
