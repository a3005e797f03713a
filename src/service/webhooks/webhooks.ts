/** Interface: "Webhooks": the registration of an endpoint. */
import * as Type from "typebox";
import { Answer } from "../../contract/reply-forms.js";
import { coded, exactly, id, nullable, Timestamp } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import { type Endpoint, endpointPrefix } from "../../world/webhooks/outbox.js";
import { operation } from "../operation.js";
import { eventKinds } from "./events.js";

const maxWebhookUrlLength = 2048;

/** Matches characters that must be percent-encoded in a URI. */
const unencoded = /[^\x21-\x7e]|[<>"{}|\\^`]/;

/** Returns whether webhooks can be sent to this URL: http or https, without credentials. */
export function isDeliverable(text: string): boolean {
  if (text.length > maxWebhookUrlLength || unencoded.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== "" && username === "" && password === "";
}

/** An event kind, or `*` for all of them. */
const Subscription = Type.Enum([...eventKinds, "*"]);

/** End of the sentence "url must be ...". */
export const urlRule =
  "an http or https URL without user name, password or spaces, with letters outside ASCII percent-encoded (ü is %C3%BC), such as http://127.0.0.1:3000/webhooks";

/** A URL that webhooks can be sent to. `isDeliverable` also refuses invalid hosts and characters. */
const DeliverableUrl = Type.String({
  format: "uri",
  maxLength: maxWebhookUrlLength,
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@]+(?:[/?#]\\S*)?$",
  description: "An http or https URL",
  examples: ["https://shop.example/webhooks"],
  ...coded("validation_error", urlRule),
});

/** A registered endpoint. The interface does not show its fields; assumption webhooks.endpoint. */
export const WebhookEndpoint = exactly(
  {
    id: id(endpointPrefix),
    url: Type.String({ format: "uri" }),
    events: Type.Array(Subscription),
    description: nullable(Type.String()),
    secret: Type.String({ description: "Key of X-Service-Signature, used as the literal string" }),
    status: Type.Literal("enabled"),
    is_test: Type.Boolean(),
    created_at: Timestamp,
  },
  { "x-assumption": "webhooks.endpoint" },
);

/** Returns an endpoint as the reply to its registration shows it. */
export const viewEndpoint = (account: Account, endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events as Type.Static<typeof Subscription>[],
  description: endpoint.description,
  secret: account.outbox.secretFor(endpoint),
  status: "enabled" as const,
  is_test: !account.live,
  created_at: endpoint.created_at,
});

export const WebhookRegistration = Type.Object(
  {
    url: DeliverableUrl,
    events: Type.Optional(
      Type.Array(Subscription, { minItems: 1, description: "Default: all", examples: [["payout.paid"]] }),
    ),
    description: Type.Optional(Type.String({ maxLength: 500 })),
  },
  { "x-assumption": "webhooks.endpoint" },
);

/**
 * Registers an endpoint, or updates the one with this URL. Call inside a commit. `verifiesTls` says whether the
 * receiver's certificate is checked. If undefined, it stays as it is, initially true. It is not a field of the request,
 * because a body may contain fields that the service ignores.
 */
export function saveEndpoint(
  account: Account,
  {
    url,
    events = ["*"],
    description = null,
  }: { url: string; events?: string[]; description?: string | null },
  verifiesTls?: boolean,
): { endpoint: Endpoint; isNew: boolean } {
  const known = account.outbox.endpoints().find((endpoint) => endpoint.url === url);
  const endpoint: Endpoint = {
    id: known?.id ?? account.random.id(endpointPrefix),
    url,
    events: [...new Set(events)],
    description,
    created_at: known?.created_at ?? account.clock.iso(),
  };
  if (!(verifiesTls ?? known?.verify_tls ?? true)) endpoint.verify_tls = false;
  account.outbox.save(endpoint);
  return { endpoint, isNew: known === undefined };
}

export const registerWebhook = operation({
  id: "registerWebhook",
  route: "POST /v1/webhooks",
  summary: "Register a URL for signed webhooks",
  description: "Registering a known URL again updates that endpoint and returns it with 200.",
  auth: "key",
  body: WebhookRegistration,
  reply: { 201: WebhookEndpoint, 200: WebhookEndpoint },
  refuses: ["validation_error"],
  assumptions: ["webhooks.secret"],

  handle({ account, body, refuse }) {
    if (!isDeliverable(body.url)) {
      const message = `url must be ${urlRule}; ${JSON.stringify(body.url.slice(0, 100))} is not.`;
      return refuse("validation_error", { param: "url", message });
    }
    const { endpoint, isNew } = saveEndpoint(account, body);
    return new Answer(isNew ? 201 : 200, viewEndpoint(account, endpoint));
  },
});
