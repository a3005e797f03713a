import * as Type from "typebox";
import { requireRecord } from "../account-records.js";
import { operation } from "../operation.js";
import { audit } from "./machine.js";
import { Audit } from "./schemas.js";

export const getAudit = operation({
  id: "getAudit",
  route: "GET /v1/audits/{id}",
  summary: "Get an audit",
  description: "Poll a deep audit until its status is ready or failed.",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "Id of the audit" }) }),
  reply: { 200: Audit },
  refuses: ["resource_not_found"],

  handle({ account, params: { id } }) {
    const wanted = { id, param: "id", noun: "audit", hint: "GET /v1/audits lists them" };
    return audit.view(requireRecord(account, audit, wanted));
  },
});
