import * as Type from "typebox";
import { operation } from "./operation.js";

export const getHealth = operation({
  id: "getHealth",
  route: "GET /healthz",
  summary: "Whether the sandbox serves",
  auth: "none",
  reply: { 200: Type.Object({ status: Type.Literal("ok") }) },
  handle: () => ({ status: "ok" as const }),
});
