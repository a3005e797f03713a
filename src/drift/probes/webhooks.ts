/** Probes of webhook deliveries. All but one use the delivery of one virtual_account.created event. */

import type { DriftWebhook } from "../receiver.js";
import { callsToDeliver, delivered, endpoint } from "../records.js";
import { CouldNotCheck, valueIn } from "../service-client.js";
import type { Probe, ProbeObservation, Probes } from "./probe.js";

/** Returns a probe whose value follows from the shared delivery. */
const ofDelivery = <Value extends string>(
  toObservation: (webhook: DriftWebhook) => Omit<ProbeObservation<Value>, "replies">,
): Probe<Value> => ({
  group: "webhooks",
  calls: callsToDeliver,
  async observe(side) {
    const { webhook, reply } = await delivered(side);
    return { ...toObservation(webhook), replies: [reply] };
  },
});

const additionalHeaders = ["x-service-event", "x-service-delivery", "x-service-attempt"];

const documentedFields = "created_at,data,event";
const extendedFields = "created_at,data,event,id,is_test";

export const webhookProbes = {
  "webhooks.bytes": ofDelivery(({ text, body }) => {
    const isCompact = text === JSON.stringify(body);
    const note = isCompact
      ? "the body is as JSON.stringify writes it"
      : "the body has other bytes than JSON.stringify writes";
    return { value: isCompact ? "compact" : "spaced", note };
  }),

  "webhooks.headers": ofDelivery(({ headers }) => {
    const found = additionalHeaders.filter((name) => headers[name] !== undefined);
    const value =
      found.length === 0 ? "documented" : found.length === additionalHeaders.length ? "extended" : null;
    return { value, note: `additional headers: ${found.join(", ") || "none"}` };
  }),

  "webhooks.payload": ofDelivery(({ body }) => {
    const fields = Object.keys(body as object)
      .sort()
      .join(",");
    const value = fields === extendedFields ? "extended" : fields === documentedFields ? "bare" : null;
    return { value, note: value ? `fields: ${fields}` : "the payload has other fields" };
  }),

  /** Registers a second address, for an event that no probe causes. */
  "webhooks.secret": {
    group: "webhooks",
    calls: 3,
    async observe(side) {
      const { url } = await endpoint(side);
      const register = (body: Record<string, unknown>) => side.service.call("registerWebhook", { body });
      const replies = [
        await register({ url }),
        await register({ url: `${url}?second`, events: ["payment.issue_resolved"] }),
      ];
      const [one, other] = replies.map((reply) => valueIn(reply, "secret"));
      if (typeof one !== "string" || typeof other !== "string")
        throw new CouldNotCheck("a registration does not return the secret");
      return { value: one === other ? "account" : "endpoint", replies };
    },
  },
} satisfies Partial<Probes>;
