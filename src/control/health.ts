import * as Type from "typebox";
import { operation } from "./operation.js";

export const getHealth = operation({
  id: "getHealth",
  route: "GET /healthz",
  summary: "Check that the sandbox is serving",
  auth: "none",
  reply: { 200: Type.Object({ status: Type.Literal("ok") }) },
  handle: () => ({ status: "ok" as const }),
});
