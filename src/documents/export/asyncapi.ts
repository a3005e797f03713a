/** Writes the events of the service as an AsyncAPI 3.1 document: what it posts to registered URLs. */
import type { ExportInput } from "./calls.js";

interface WebhookNode {
  post: {
    summary: string;
    description?: string;
    parameters: { name: string; schema: object; description?: string }[];
    requestBody: { content: Record<string, { schema: object; example?: unknown }> };
  };
}

interface Contract {
  info: { title: string; version: string };
  webhooks: Record<string, WebhookNode>;
  components: { schemas: object };
}

/** Returns the message of an event. Its schemas are the schemas of the OpenAPI document, under the same names. */
function messageOf({ post: { summary, description, parameters, requestBody } }: WebhookNode): object {
  const [[contentType = "", { schema, example }] = ["", { schema: {} }]] = Object.entries(
    requestBody.content,
  );
  return {
    name: summary,
    title: summary,
    ...(description ? { description } : {}),
    contentType,
    headers: {
      type: "object",
      required: parameters.map(({ name }) => name),
      properties: Object.fromEntries(parameters.map(({ name, schema: form }) => [name, form])),
    },
    payload: schema,
    ...(example === undefined ? {} : { examples: [{ payload: example }] }),
  };
}

const description =
  "The events that the service posts to each registered URL, signed with the secret of the account. A delivery that is not answered with 2xx is sent again.";

export function toAsyncApi({ contract }: ExportInput): object {
  const { info, webhooks, components } = contract as Contract;
  const ids = Object.keys(webhooks);
  const messages = Object.fromEntries(Object.entries(webhooks).map(([id, node]) => [id, messageOf(node)]));
  return {
    asyncapi: "3.1.0",
    id: "urn:standin:events",
    info: { title: `${info.title}: events`, version: info.version, description },
    defaultContentType: "application/json",
    channels: {
      endpoint: {
        address: null,
        title: "Registered URL",
        description: "Each URL that was registered with POST /v1/webhooks, or is the account's own.",
        messages: Object.fromEntries(ids.map((id) => [id, { $ref: `#/components/messages/${id}` }])),
      },
    },
    operations: Object.fromEntries(
      ids.map((id) => [
        id,
        {
          action: "send",
          channel: { $ref: "#/channels/endpoint" },
          summary: webhooks[id]?.post.summary,
          messages: [{ $ref: `#/channels/endpoint/messages/${id}` }],
        },
      ]),
    ),
    components: { messages, schemas: components.schemas },
  };
}
