import * as Type from "typebox";
import { Answer } from "../../contract/operation.js";
import { operation } from "../operation.js";
import { sayNoDomain, toDomain } from "./domain-names.js";
import { findDomain, startDomain, viewDomain } from "./machine.js";
import { DomainVerification } from "./schemas.js";

export const startDomainVerification = operation({
  id: "startDomainVerification",
  route: "POST /v1/domains/verify/start",
  summary: "Start to verify that a domain is yours",
  description:
    "Publish the token as a DNS TXT record or as a file, then check. Free. " +
    "Starting the same domain again answers 200 with the same verification.",
  auth: "session",
  body: Type.Object({
    domain: Type.String({
      description: "The name alone; an international one in its own letters or in ASCII",
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
      return refuse("validation_error", { param: "domain", message: sayNoDomain(body.domain) });
    const known = findDomain(account, name);
    return new Answer(known ? 200 : 201, viewDomain(known ?? startDomain(account, name)));
  },
});
