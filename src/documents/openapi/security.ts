/** Writes security schemes (interface: "Authentication"). */
import type { Auth } from "../../contract/operation.js";
import type { OpenApiNode } from "./schemas.js";

const schemes = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-Service-Key",
    description: "The secret API key, live or test.",
    "x-assumption": "keys",
  },
  SessionToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The dashboard's signed session token. The API key is not used.",
    "x-assumption": "session_token",
  },
  AdminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Sandbox-Admin",
    description: "The admin token. Required only if the sandbox is bound to a non-loopback address.",
  },
} as const;
type Scheme = keyof typeof schemes;

/** Accepted combinations of headers. An empty one means that none is required. */
const alternatives: Readonly<Record<Auth, readonly (readonly Scheme[])[]>> = {
  key: [["ApiKey"]],
  session: [["SessionToken"]],
  // The key only selects the account, so both headers are optional.
  control: [[], ["ApiKey"], ["AdminToken"], ["ApiKey", "AdminToken"]],
  operator: [[], ["AdminToken"]],
  none: [],
};

export const securityOf = (auth: Auth): OpenApiNode[] =>
  alternatives[auth].map((names) => Object.fromEntries(names.map((name) => [name, []])));

export function securitySchemesOf(auths: readonly Auth[]): OpenApiNode {
  const used = new Set(auths.flatMap((auth) => alternatives[auth].flat()));
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name as Scheme)));
}
