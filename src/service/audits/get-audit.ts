import * as Type from "typebox";
import { neededRecord } from "../account-records.js";
import { operation } from "../operation.js";
import { audit, viewAudit } from "./machine.js";
import { Audit } from "./schemas.js";

export const getAudit = operation({
  id: "getAudit",
  route: "GET /v1/audits/{id}",
  summary: "Read an audit",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "The audit's id" }) }),
  reply: { 200: Audit },
  refuses: ["resource_not_found"],

  handle({ account, params: { id } }) {
    const sought = { id, param: "id", what: "audit", hint: "GET /v1/audits lists them" };
    return viewAudit(neededRecord(account, audit, sought));
  },
});
