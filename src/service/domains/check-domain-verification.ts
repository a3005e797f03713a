import * as Type from "typebox";
import { neededRecord } from "../account-records.js";
import { operation } from "../operation.js";
import { domain } from "./machine.js";
import { DomainCheck } from "./schemas.js";
import { publishedProof } from "./simulated-proofs.js";

export const checkDomainVerification = operation({
  id: "checkDomainVerification",
  route: "POST /v1/domains/verify/{domain_id}/check",
  summary: "Look for the proof that a domain is yours",
  description: "Finding nothing is not an error; the check may be repeated.",
  auth: "session",
  params: Type.Object({ domain_id: Type.String({ description: "The domain verification's id" }) }),
  reply: { 200: DomainCheck },
  refuses: ["resource_not_found"],
  assumptions: ["session_token", "domains.check", "domains.lookup"],

  async prepare({ account, params, settings }) {
    const record = account.records.get(domain, params.domain_id);
    if (settings.domains.lookup !== "real" || record?.state !== "pending") return null;
    const { lookUpProof } = await import("./real-proofs.js");
    return lookUpProof({ domain: record.domain, token: record.token, settings: settings.domains });
  },

  handle({ account, params, settings, prepared }) {
    const record = neededRecord(account, domain, {
      id: params.domain_id,
      param: "domain_id",
      what: "domain verification",
      hint: "use the id that POST /v1/domains/verify/start answered with",
    });
    if (record.state === "pending") {
      const simulated = settings.domains.lookup === "simulated";
      const method = simulated ? publishedProof(account, record.domain, record.token) : prepared;
      if (method !== null) account.records.move(domain, record, "prove", { method });
    }
    return { verified: record.state === "verified", method: record.method };
  },
});
