import * as Type from "typebox";
import { operation } from "../operation.js";
import { DomainCheck } from "./schemas.js";

export const checkDomainVerification = operation({
  id: "checkDomainVerification",
  route: "POST /v1/domains/verify/{domain_id}/check",
  summary: "Look for the proof that a domain is yours",
  description: "Finding nothing is not an error; the check may be repeated.",
  auth: "session",
  params: Type.Object({ domain_id: Type.String({ description: "The domain verification's id" }) }),
  reply: { 200: DomainCheck },
  refuses: ["resource_not_found"],
});
