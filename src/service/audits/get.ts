import * as Type from "typebox";
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

  handle({ account, params, refuse }) {
    const found = account.records.get(audit, params.id);
    if (found) return viewAudit(found);
    const message = `There is no audit ${JSON.stringify(params.id.slice(0, 60))} on this account; GET /v1/audits lists them.`;
    return refuse("resource_not_found", { param: "id", message });
  },
});
