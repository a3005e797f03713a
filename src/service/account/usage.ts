import * as Type from "typebox";
import { DateOnly } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { Usage } from "./schemas.js";

export const getUsage = operation({
  id: "getUsage",
  route: "GET /v1/usage",
  summary: "Read the usage of some days",
  auth: "key",
  query: Type.Object({ from: DateOnly, to: DateOnly }),
  reply: { 200: Usage },
  assumptions: ["fields.unmarked"],
});
