import * as Type from "typebox";
import type { Account } from "../../world/account.js";
import { operation } from "../operation.js";
import { type AuditRecord, audit, viewSummary } from "./machine.js";
import { AuditSummary } from "./schemas.js";

/** Assumption lists. */
const mostListed = 100;

function newest({ state }: Account): AuditRecord[] {
  const records: AuditRecord[] = [];
  for (const record of state.newest<AuditRecord>(audit.name)) {
    records.push(record);
    if (records.length === mostListed) break;
  }
  return records;
}

export const listAudits = operation({
  id: "listAudits",
  route: "GET /v1/audits",
  summary: "List the audits, most recent first",
  auth: "key",
  reply: { 200: Type.Array(AuditSummary) },
  assumptions: ["lists"],
  handle: ({ account }) => newest(account).map(viewSummary),
});
