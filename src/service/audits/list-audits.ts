import * as Type from "typebox";
import { newestOf } from "../newest.js";
import { operation } from "../operation.js";
import { audit, viewSummary } from "./machine.js";
import { AuditSummary } from "./schemas.js";

export const listAudits = operation({
  id: "listAudits",
  route: "GET /v1/audits",
  summary: "List the audits, most recent first",
  auth: "key",
  reply: { 200: Type.Array(AuditSummary) },
  assumptions: ["lists"],
  handle: ({ account }) => newestOf(account, audit).map(viewSummary),
});
