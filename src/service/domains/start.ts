import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { DomainVerification } from "./schemas.js";

export const startDomainVerification = operation({
  id: "startDomainVerification",
  route: "POST /v1/domains/verify/start",
  summary: "Start to verify that a domain is yours",
  description: "Publish the token as a DNS TXT record or as a file, then check. Free.",
  auth: "session",
  body: Type.Object({
    domain: Type.String({
      format: "hostname",
      ...coded("validation_error", "a domain name such as example.com"),
      examples: ["example.com"],
    }),
  }),
  reply: { 201: DomainVerification },
});
