/** Interface: "Domain verification": the record, its proofs, and its two operations. */

import * as Type from "typebox";
import { Answer } from "../../contract/reply-forms.js";
import { exactly, id, nullable } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { table } from "../../world/store/table.js";
import { requireRecord } from "../account-records.js";
import { inputField, machine, record, refuseInput } from "../machine.js";
import { operation } from "../operation.js";
import {
  describeInvalidDomain,
  fileUrl,
  ProofMethod,
  recordName,
  toDomain,
  wellKnownPath,
} from "./domain-names.js";

export const DomainVerification = exactly({
  id: id("dom_"),
  domain: Type.String({ examples: ["example.com"] }),
  token: Type.String(),
  dns_txt: exactly({
    record: Type.String({ description: "Name of the record", examples: ["_service-verify.example.com"] }),
    type: Type.Literal("TXT"),
    value: Type.String({ description: "The token" }),
  }),
  well_known_file: exactly({
    path: Type.Literal(wellKnownPath),
    url: Type.String({ format: "uri", examples: [`https://example.com${wellKnownPath}`] }),
    content: Type.String({ description: "The token" }),
  }),
});

export const DomainCheck = exactly({
  verified: Type.Boolean(),
  method: nullable(ProofMethod, { description: "Proof that was found; null if there is none" }),
});

// Interface: "Domain ownership" in States and transitions.

export const domainRecord = record(DomainVerification, {
  hidden: {
    /** Proof that was found; null until then. */
    method: nullable(ProofMethod),
  },
  states: ["pending", "verified"],
  view: {
    dns_txt: ({ domain, token }) => ({ record: recordName(domain), type: "TXT" as const, value: token }),
    well_known_file: ({ domain, token }) => ({
      path: wellKnownPath as typeof wellKnownPath,
      url: fileUrl(domain),
      content: token,
    }),
  },
});
export type DomainRecord = RecordIn<typeof domainRecord>;

/** Reads the `method` of the proof. Default: the DNS record. */
function readMethod(input: unknown): ProofMethod {
  const method = inputField(input, "method") ?? "dns_txt";
  if (method === "dns_txt" || method === "well_known_file") return method;
  return refuseInput("method", "dns_txt or well_known_file", method);
}

export const domain = machine(domainRecord, {
  name: "domain",
  prefix: "dom_",
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
});

// The domains of an account, each with one verification.

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
 * Returns whether the host is verified: the host itself by either proof, or a parent domain by DNS; assumption
 * domains.scope. A file proves only its own host.
 */
export function isVerifiedHost(account: Account, host: string): boolean {
  const labels = toDomain(host)?.split(".") ?? [];
  return labels.some((_label, depth) => {
    const record = findDomain(account, labels.slice(depth).join("."));
    return record?.state === "verified" && (depth === 0 || record.method === "dns_txt");
  });
}

// Simulated proofs that the tester publishes for a domain, instead of in the DNS or on the web.

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
function findSimulatedProof({ state }: Account, domain: string, token: string): ProofMethod | null {
  const { dns_txt, well_known_file } = state.get(domainProofs, domain) ?? {};
  if (dns_txt === token) return "dns_txt";
  return well_known_file?.trim() === token ? "well_known_file" : null;
}

export const startDomainVerification = operation({
  id: "startDomainVerification",
  route: "POST /v1/domains/verify/start",
  summary: "Start verifying domain ownership",
  description:
    "Publish the token as a DNS TXT record or as a file, then run the check. Free. " +
    "Starting the same domain again returns the same verification with 200.",
  auth: "session",
  body: Type.Object({
    domain: Type.String({
      description: "Domain name only; an international name in its own script or in ASCII",
      examples: ["example.com"],
      "x-assumption": "domains.names",
    }),
  }),
  reply: { 201: DomainVerification, 200: DomainVerification },
  refuses: ["validation_error"],
  assumptions: ["domains.start"],

  handle({ account, body, refuse }) {
    const name = toDomain(body.domain);
    if (name === null)
      return refuse("validation_error", { param: "domain", message: describeInvalidDomain(body.domain) });
    const known = findDomain(account, name);
    return new Answer(known ? 200 : 201, domain.view(known ?? startDomain(account, name)));
  },
});

export const checkDomainVerification = operation({
  id: "checkDomainVerification",
  route: "POST /v1/domains/verify/{domain_id}/check",
  summary: "Check the proof of domain ownership",
  description: "A check that finds no proof is not an error and may be repeated.",
  auth: "session",
  params: Type.Object({ domain_id: Type.String({ description: "Id of the domain verification" }) }),
  reply: { 200: DomainCheck },
  refuses: ["resource_not_found"],
  assumptions: ["domains.lookup"],

  async prepare({ account, params, settings }) {
    const record = account.records.get(domain, params.domain_id);
    if (settings.domains.lookup !== "real" || record?.state !== "pending") return null;
    const { findRealProof } = await import("./real-proofs.js");
    return findRealProof({ domain: record.domain, token: record.token, settings: settings.domains });
  },

  handle({ account, params, settings, prepared }) {
    const record = requireRecord(account, domain, {
      id: params.domain_id,
      param: "domain_id",
      noun: "domain verification",
      hint: "use the id returned by POST /v1/domains/verify/start",
    });
    if (record.state === "pending") {
      const simulated = settings.domains.lookup === "simulated";
      const method = simulated ? findSimulatedProof(account, record.domain, record.token) : prepared;
      if (method !== null) account.records.move(domain, record, "prove", method);
    }
    return { verified: record.state === "verified", method: record.method };
  },
});
