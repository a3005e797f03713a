import * as Type from "typebox";
import { newestRecords } from "../account-records.js";
import { operation } from "../operation.js";
import { audit, viewAuditSummary } from "./machine.js";
import { AuditSummary } from "./schemas.js";

export const listAudits = operation({
  id: "listAudits",
  route: "GET /v1/audits",
  summary: "List audits, most recent first",
  description: "Summaries without findings; get an audit for its findings.",
  auth: "key",
  reply: { 200: Type.Array(AuditSummary) },
  assumptions: ["lists"],
  handle: ({ account }) => newestRecords(account, audit).map(viewAuditSummary),
});
