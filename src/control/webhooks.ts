import { registerWebhook, viewEndpoint, WebhookRegistration } from "../service/webhooks/register-webhook.js";
import { WebhookEndpoint } from "../service/webhooks/schemas.js";
import { operation } from "./operation.js";
import { ById, Deleted, items } from "./schemas.js";

export const listWebhooks = operation({
  id: "listWebhooks",
  route: "GET /_sandbox/webhooks",
  summary: "List the account's webhook endpoints, newest first",
  auth: "control",
  reply: { 200: items(WebhookEndpoint) },
  handle: ({ account }) => ({
    items: account.outbox.endpoints().map((endpoint) => viewEndpoint(account, endpoint)),
  }),
});

export const addWebhook = operation({
  id: "addWebhook",
  route: "POST /_sandbox/webhooks",
  summary: "Register an endpoint, as POST /v1/webhooks does, without the API key",
  auth: "control",
  body: WebhookRegistration,
  reply: { 201: WebhookEndpoint, 200: WebhookEndpoint },
  refuses: ["validation_error"],
  handle: async ({ account, body, sandbox }) =>
    sandbox.call(account, registerWebhook, { body, actor: "control" }),
});

export const deleteWebhook = operation({
  id: "deleteWebhook",
  route: "DELETE /_sandbox/webhooks/{id}",
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
