/** Endpoints of webhooks, and relays, through which a listener forwards them where the sandbox cannot reach. */
import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { Answer, formatServerEvent, Stream } from "../contract/reply-forms.js";
import {
  isDeliverable,
  saveEndpoint,
  urlRule,
  viewEndpoint,
  WebhookEndpoint,
  WebhookRegistration,
} from "../service/webhooks/webhooks.js";
import { second, timer, toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { Endpoint } from "../world/webhooks/outbox.js";
import { RelayAnswer, RelaySending, relayNameOf, relayNamePattern } from "../world/webhooks/relay.js";
import { collection } from "./collection.js";
import { operation } from "./operation.js";
import { keepAlive } from "./stream.js";

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

export const { list: listWebhooks, remove: deleteWebhook } = collection({
  of: EndpointView,
  paging: "whole",
  items: ({ account }) => account.outbox.endpoints(),
  view: (endpoint, { account }) => view(account, endpoint),
  list: { id: "listWebhooks", summary: "List the account's webhook endpoints, newest first" },
  remove: {
    id: "deleteWebhook",
    summary: "Remove an endpoint and fail its pending deliveries",
    noun: "webhook endpoint",
    remove(account, id) {
      if (!account.outbox.endpoint(id)) return false;
      account.commit("control", () => account.outbox.remove(id));
      return true;
    },
  },
});

export const addWebhook = operation({
  id: "addWebhook",
  summary: "Register a webhook endpoint: a URL, or a relay",
  description:
    "Like `POST /v1/webhooks`, but also accepts what the service does not: `relay:<name>`, whose deliveries go to the listeners of that name (`standin listen`), and `verify_tls`.",
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

const RelayName = Type.String({
  pattern: `^${relayNamePattern}$`,
  description: "Name of the relay",
  examples: ["laptop"],
});
const ListenerId = Type.String({ minLength: 1, maxLength: 64, description: "Chosen by the listener" });

export const streamRelay = operation({
  id: "streamRelay",
  summary: "Listen on a relay, as server-sent events",
  description: [
    `Event \`request\`: a request to post to the receiver, with an \`id\`; \`about\` describes the delivery attempt. Answer it with \`${controlRoutes.answerRelayed}\`.`,
    "The first event is `connected`. The event `reset` means that the account was reset and its endpoints are gone.",
    "A listener that connects again with the same id within 5 s continues: requests that it has not answered are sent again with the same ids. Several listeners take turns.",
  ].join("\n\n"),
  params: Type.Object({ name: RelayName }),
  query: Type.Object({ listener: ListenerId }),
  reply: { 200: { contentType: "text/event-stream" } },
  refuses: ["validation_error"],
  handle: ({ account, sandbox, params: { name }, query: { listener } }) =>
    new Stream("text/event-stream", (response) => {
      response.write(formatServerEvent("connected", {}));
      const disconnect = sandbox.relays.connect(account.id, name, listener, response);
      const stop = account.activities.log.listen({
        published() {},
        clockSet() {},
        cleared: () => void response.write(formatServerEvent("reset", {})),
        ended: () => response.end(),
      });
      const endHeartbeat = keepAlive((comment) => response.write(comment));
      response.on("close", () => {
        endHeartbeat();
        stop();
        disconnect();
      });
    }),
});

export const answerRelayed = operation({
  id: "answerRelayed",
  summary: "Return the receiver's answers to requests of a relay, or stop listening",
  isUnrecorded: true,
  params: Type.Object({ name: RelayName }),
  body: Type.Object({
    listener: ListenerId,
    answers: Type.Array(Type.Object({ id: Type.String(), ...RelayAnswer.properties })),
    leave: Type.Optional(Type.Boolean({ description: "Whether to stop listening. Default false" })),
  }),
  reply: {
    200: Type.Object({
      answered: Type.Integer(),
      listeners: Type.Integer({ description: "Number of listeners that are connected, or that remain" }),
    }),
  },
  refuses: ["validation_error"],
  handle({ account, sandbox: { relays }, params: { name }, body: { listener, answers, leave } }) {
    relays.answer(account.id, name, listener, answers);
    const listeners = leave ? relays.leave(account.id, name, listener) : relays.connected(account.id, name);
    return { answered: answers.length, listeners };
  },
});

/** Time in ms that a request and its answer may take between sandbox and listener, in addition to the receiver's time. */
const relayGraceMs = 5 * second;

export const sendThroughRelay = operation({
  id: "sendThroughRelay",
  summary: "Send a request to the receiver behind a relay, and return its answer",
  description:
    "The next listener in turn sends it, whatever events it forwards. `standin webhooks check relay:<name>` uses this.",
  isUnrecorded: true,
  params: Type.Object({ name: RelayName }),
  body: Type.Object({
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String(),
    title: Type.String({ description: "What the listener shows in place of the event" }),
    sending: RelaySending,
  }),
  reply: { 200: RelayAnswer },
  refuses: ["validation_error"],

  async handle({ account, sandbox, params: { name }, body: { title, sending, ...request } }) {
    const about = {
      at: toIso(account.clock.now()),
      event: title,
      event_id: null,
      delivery_id: null,
      attempt: 1,
      retry_at: null,
    };
    const { timeout, pieces = 1, pause = 0, readAfter = 0 } = sending;
    const { answer, cancel } = sandbox.relays.post(account.id, name, { ...request, about, sending });
    const limit = timer(timeout + pieces * pause + readAfter + relayGraceMs, () =>
      cancel(new Error(`the listener of relay:${name} did not answer in time`)),
    );
    try {
      return await answer;
    } catch (error) {
      return { status: null, headers: {}, body: "", error: (error as Error).message };
    } finally {
      limit.cancel();
    }
  },
});
