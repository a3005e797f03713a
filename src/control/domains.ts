import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { describeInvalidDomain, toDomain } from "../service/domains/domain-names.js";
import { findDomain } from "../service/domains/domain-registry.js";
import { fileUrl, recordName } from "../service/domains/machine.js";
import { ProofMethod } from "../service/domains/schemas.js";
import { publishProof } from "../service/domains/simulated-proofs.js";
import { operation } from "./operation.js";

export const publishDomainProof = operation({
  id: "publishDomainProof",
  route: controlRoutes.publishDomainProof,
  summary: "Publish a simulated TXT record or file for a domain, which the account's next check finds",
  description:
    "In a sandbox started with domains.lookup real, checks query the real DNS and web only and ignore this.",
  auth: "control",
  params: Type.Object({ domain: Type.String({ examples: ["example.com"] }) }),
  body: Type.Object({
    method: ProofMethod,
    value: Type.Optional(
      Type.String({ maxLength: 4096, description: "Default: the token of the account's verification" }),
    ),
  }),
  reply: {
    200: Type.Object({
      domain: Type.String(),
      method: ProofMethod,
      at: Type.String({ description: "Name of the TXT record or URL of the file" }),
      value: Type.String(),
    }),
  },
  refuses: ["validation_error", "resource_not_found"],

  handle({ account, params, body: { method, value }, refuse }) {
    const domain = toDomain(params.domain);
    if (domain === null)
      return refuse("validation_error", { param: "domain", message: describeInvalidDomain(params.domain) });
    const published = value ?? findDomain(account, domain)?.token;
    if (published === undefined) {
      const message = `This account has not started to verify ${domain}. Start with POST /v1/domains/verify/start, or give the value to publish.`;
      return refuse("resource_not_found", { param: "domain", message });
    }
    account.commit("control", () => publishProof(account, domain, method, published));
    const at = method === "dns_txt" ? recordName(domain) : fileUrl(domain);
    return { domain, method, at, value: published };
  },
});
