import * as Type from "typebox";
import { isKey, keyRule } from "../contract/api-keys.js";
import { controlRoutes } from "../contract/control-routes.js";
import { randomHex } from "../time/random.js";
import { operation } from "./operation.js";

export const registerKey = operation({
  id: "registerKey",
  route: controlRoutes.registerKey,
  summary: "Register a key, or generate one",
  description: "Required in a sandbox started with --registered-keys-only. Other sandboxes accept every key.",
  auth: "control",
  body: Type.Object({
    key: Type.Optional(Type.String({ description: "8 to 128 visible characters. Default: a generated key" })),
    mode: Type.Optional(
      Type.Enum(["test", "live"], { description: "Mode of a generated key. Default test" }),
    ),
  }),
  bodyOptional: true,
  reply: {
    201: Type.Object({ key: Type.String(), account: Type.String(), mode: Type.Enum(["test", "live"]) }),
  },
  refuses: ["validation_error"],

  async handle({ body, sandbox, refuse }) {
    const key = body.key ?? `svc_${body.mode ?? "test"}_${randomHex(12)}`;
    if (!isKey(key)) {
      refuse("validation_error", { param: "key", message: `key must be ${keyRule}.` });
    }
    const account = await sandbox.openKey(key);
    account.commit("control", () => account.own.register());
    return { key, account: account.id, mode: account.live ? ("live" as const) : ("test" as const) };
  },
});

export const createSessionToken = operation({
  id: "createSessionToken",
  route: controlRoutes.createSessionToken,
  summary: "Issue a dashboard session token for the domain endpoints",
  auth: "control",
  reply: { 200: Type.Object({ token: Type.String(), expires_at: Type.String({ format: "date-time" }) }) },
  handle: ({ account, sandbox }) => sandbox.issueSessionToken(account),
});
