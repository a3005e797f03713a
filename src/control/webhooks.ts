import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { Answer } from "../contract/reply-forms.js";
import { isDeliverable } from "../service/webhooks/deliverable-url.js";
import { saveEndpoint, viewEndpoint, WebhookRegistration } from "../service/webhooks/register-webhook.js";
import { urlRule, WebhookEndpoint } from "../service/webhooks/schemas.js";
import type { Account } from "../world/account/account.js";
import type { Endpoint } from "../world/webhooks/outbox.js";
import { relayNameOf } from "../world/webhooks/relay-url.js";
import { operation } from "./operation.js";
import { ById, Deleted, items } from "./schemas.js";

const verify_tls = Type.Optional(
  Type.Boolean({
    description: "Whether the certificate of an https receiver is verified. Default true",
  }),
);
const EndpointView = Type.Object({ ...WebhookEndpoint.properties, verify_tls });

const view = (account: Account, endpoint: Endpoint): Type.Static<typeof EndpointView> => ({
  ...viewEndpoint(account, endpoint),
  ...(endpoint.verify_tls === false ? { verify_tls: false } : {}),
});

export const listWebhooks = operation({
  id: "listWebhooks",
  route: controlRoutes.listWebhooks,
  summary: "List the account's webhook endpoints, newest first",
  auth: "control",
  reply: { 200: items(EndpointView) },
  handle: ({ account }) => ({
    items: account.outbox.endpoints().map((endpoint) => view(account, endpoint)),
  }),
});

export const addWebhook = operation({
  id: "addWebhook",
  route: controlRoutes.addWebhook,
  summary: "Register a webhook endpoint: a URL, or a relay",
  description:
    "Like `POST /v1/webhooks`, and also takes what the service does not have: `relay:<name>`, whose deliveries go to the listeners of that name (`standin listen`), and `verify_tls`.",
  auth: "control",
  body: Type.Object({
    ...WebhookRegistration.properties,
    url: Type.String({ examples: ["relay:laptop"] }),
    verify_tls,
  }),
  reply: { 201: EndpointView, 200: EndpointView },
  refuses: ["validation_error"],

  handle({ account, body, refuse }) {
    if (!isDeliverable(body.url) && relayNameOf(body.url) === null) {
      const message = `url must be ${urlRule}, or relay: and a name of letters, digits, dots, hyphens and underscores, such as relay:laptop; ${JSON.stringify(body.url.slice(0, 100))} is not.`;
      return refuse("validation_error", { param: "url", message });
    }
    return account.commit("control", () => {
      const { endpoint, isNew } = saveEndpoint(account, body, body.verify_tls);
      return new Answer(isNew ? 201 : 200, view(account, endpoint));
    });
  },
});

export const deleteWebhook = operation({
  id: "deleteWebhook",
  route: controlRoutes.deleteWebhook,
  summary: "Remove an endpoint and fail its pending deliveries",
  auth: "control",
  params: ById,
  reply: { 200: Deleted },
  refuses: ["resource_not_found"],

  handle({ account, params: { id }, refuse }) {
    if (!account.outbox.endpoint(id)) {
      refuse("resource_not_found", {
        param: "id",
        message: `There is no webhook endpoint ${id} on this account.`,
      });
    }
    account.commit("control", () => account.outbox.remove(id));
    return { id, deleted: true as const };
  },
});
