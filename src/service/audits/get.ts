import * as Type from "typebox";
import { operation } from "../operation.js";
import { Audit } from "./schemas.js";

export const getAudit = operation({
  id: "getAudit",
  route: "GET /v1/audits/{id}",
  summary: "Read an audit",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "The audit's id" }) }),
  reply: { 200: Audit },
  refuses: ["resource_not_found"],
});
