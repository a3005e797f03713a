/** Relays: how webhooks reach a receiver that the sandbox cannot reach, through a listener that the tester runs. */

import * as Type from "typebox";
import { formatServerEvent, Stream } from "../contract/reply-forms.js";
import { RelayAnswer } from "../webhooks/relay.js";
import { relayNamePattern } from "../world/outbox/relay-url.js";
import { keepAlive } from "./keep-alive.js";
import { operation } from "./operation.js";

const RelayName = Type.String({
  pattern: `^${relayNamePattern}$`,
  description: "Name of the relay",
  examples: ["laptop"],
});
const ListenerId = Type.String({ minLength: 1, maxLength: 64, description: "Chosen by the listener" });

export const streamRelay = operation({
  id: "streamRelay",
  route: "GET /_sandbox/relays/{name}/stream",
  summary: "Listen on a relay, as server-sent events",
  description: [
    "Event `request`: a request to post to the receiver, with an `id`; `about` describes the delivery attempt. Answer it with `POST /_sandbox/relays/{name}/answers`.",
    "Event `connected` comes first. Event `reset`: the account was reset, and its endpoints are gone.",
    "A listener that connects again with the same id within 5 s goes on: requests that it has not answered are sent again with the same ids. Several listeners take turns.",
  ].join("\n\n"),
  auth: "control",
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
  route: "POST /_sandbox/relays/{name}/answers",
  summary: "Return the receiver's answers to requests of a relay",
  auth: "control",
  isUnrecorded: true,
  params: Type.Object({ name: RelayName }),
  body: Type.Object({
    listener: ListenerId,
    answers: Type.Array(Type.Object({ id: Type.String(), ...RelayAnswer.properties })),
  }),
  reply: { 200: Type.Object({ answered: Type.Integer() }) },
  refuses: ["validation_error"],
  handle({ account, sandbox, params: { name }, body: { listener, answers } }) {
    sandbox.relays.answer(account.id, name, listener, answers);
    return { answered: answers.length };
  },
});

export const leaveRelay = operation({
  id: "leaveRelay",
  route: "DELETE /_sandbox/relays/{name}/listeners/{listener}",
  summary: "Stop listening on a relay",
  auth: "control",
  isUnrecorded: true,
  params: Type.Object({ name: RelayName, listener: ListenerId }),
  reply: {
    200: Type.Object({ listeners: Type.Integer({ description: "Number of listeners that remain" }) }),
  },
  refuses: ["validation_error"],
  handle: ({ account, sandbox, params: { name, listener } }) => ({
    listeners: sandbox.relays.leave(account.id, name, listener),
  }),
});

export const getRelay = operation({
  id: "getRelay",
  route: "GET /_sandbox/relays/{name}",
  summary: "Get the number of listeners that are connected to a relay",
  auth: "control",
  params: Type.Object({ name: RelayName }),
  reply: { 200: Type.Object({ name: Type.String(), listeners: Type.Integer() }) },
  refuses: ["validation_error"],
  handle: ({ account, sandbox, params: { name } }) => ({
    name,
    listeners: sandbox.relays.connected(account.id, name),
  }),
});
