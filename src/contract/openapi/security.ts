/** How a caller proves who it is (interface.md, "Authentication"). */
import type { Auth } from "../operation.js";
import type { Node } from "./json.js";

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
    description: "The signed session token of the dashboard; the API key is not used.",
    "x-assumption": "session_token",
  },
  AdminToken: {
    type: "apiKey",
    in: "header",
    name: "X-Sandbox-Admin",
    description: "The admin token; asked for only when the sandbox is bound off loopback.",
  },
} as const;
type Scheme = keyof typeof schemes;

/** The alternatives of each way; an empty one says that nothing need be sent. */
const alternatives: Readonly<Record<Auth, readonly (readonly Scheme[])[]>> = {
  key: [["ApiKey"]],
  session: [["SessionToken"]],
  // The key chooses the account and does not open anything, so both headers may be left out.
  control: [[], ["ApiKey"], ["AdminToken"], ["ApiKey", "AdminToken"]],
  none: [],
};

export const securityOf = (auth: Auth): Node[] =>
  alternatives[auth].map((names) => Object.fromEntries(names.map((name) => [name, []])));

export function securitySchemesOf(auths: readonly Auth[]): Node {
  const used = new Set(auths.flatMap((auth) => alternatives[auth].flat()));
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name as Scheme)));
}
