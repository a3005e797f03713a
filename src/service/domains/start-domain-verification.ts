import * as Type from "typebox";
import { Answer } from "../../contract/reply-forms.js";
import { operation } from "../operation.js";
import { describeInvalidDomain, toDomain } from "./domain-names.js";
import { findDomain, startDomain } from "./domain-registry.js";
import { domain } from "./machine.js";
import { DomainVerification } from "./schemas.js";

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
  assumptions: ["session_token", "domains.start"],

  handle({ account, body, refuse }) {
    const name = toDomain(body.domain);
    if (name === null)
      return refuse("validation_error", { param: "domain", message: describeInvalidDomain(body.domain) });
    const known = findDomain(account, name);
    return new Answer(known ? 200 : 201, domain.view(known ?? startDomain(account, name)));
  },
});
