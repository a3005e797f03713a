import * as Type from "typebox";
import { requireRecord } from "../account-records.js";
import { operation } from "../operation.js";
import { domain } from "./machine.js";
import { DomainCheck } from "./schemas.js";
import { findSimulatedProof } from "./simulated-proofs.js";

export const checkDomainVerification = operation({
  id: "checkDomainVerification",
  route: "POST /v1/domains/verify/{domain_id}/check",
  summary: "Check the proof of domain ownership",
  description: "A check that finds no proof is not an error and may be repeated.",
  auth: "session",
  params: Type.Object({ domain_id: Type.String({ description: "Id of the domain verification" }) }),
  reply: { 200: DomainCheck },
  refuses: ["resource_not_found"],
  assumptions: ["session_token", "domains.check", "domains.lookup"],

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
