/** Relays: how webhooks reach a receiver that the sandbox cannot reach, through a listener that the tester runs. */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { formatServerEvent, Stream } from "../contract/reply-forms.js";
import { second, timer, toIso } from "../time/time.js";
import { RelayAnswer, RelaySending } from "../world/webhooks/relay.js";
import { relayNamePattern } from "../world/webhooks/relay-url.js";
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
  route: controlRoutes.streamRelay,
  summary: "Listen on a relay, as server-sent events",
  description: [
    `Event \`request\`: a request to post to the receiver, with an \`id\`; \`about\` describes the delivery attempt. Answer it with \`${controlRoutes.answerRelayed}\`.`,
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
  route: controlRoutes.answerRelayed,
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

/** Time in ms that a request and its answer may take between sandbox and listener, beyond those of the receiver. */
const relayGraceMs = 5 * second;

export const sendThroughRelay = operation({
  id: "sendThroughRelay",
  route: controlRoutes.sendThroughRelay,
  summary: "Send a request to the receiver behind a relay, and return its answer",
  description:
    "The next listener in turn sends it, whatever events it forwards. `standin webhooks check relay:<name>` uses this.",
  auth: "control",
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

export const leaveRelay = operation({
  id: "leaveRelay",
  route: controlRoutes.leaveRelay,
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
  route: controlRoutes.getRelay,
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
