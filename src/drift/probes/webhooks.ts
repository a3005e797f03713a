/** Probes of webhook deliveries. All use the delivery of one virtual_account.created event. */
import { valueAt } from "../../contract/json.js";
import type { Assumptions } from "../../service/assumptions.js";
import { type DriftWebhook, type WebhookReceiver, webhookWaitMs } from "../receiver.js";
import { CouldNotCheck, isSuccess, NotTestable, type ServiceReply, valueIn } from "../service-client.js";
import { callsToCreateAccount, requestVirtualAccount } from "./business.js";
import type { Probe, ProbeContext } from "./probe.js";

interface Delivered {
  readonly webhook: DriftWebhook;
  readonly replies: readonly ServiceReply[];
}

const delivered = (context: ProbeContext): Promise<Delivered> =>
  context.once("webhook", () => deliver(context));

type Receiving = Pick<ProbeContext, "once" | "service" | "receiver">;

/** Registers the receiver once, so that each webhook arrives once. */
export const endpoint = async (side: Receiving): Promise<WebhookReceiver> =>
  (await registeredEndpoint(side)).receiver;

/** Returns the receiver, and the secret that its registration returned. Null if the reply has none. */
export const registeredEndpoint = ({
  once,
  service,
  receiver,
}: Receiving): Promise<{ receiver: WebhookReceiver; secret: string | null }> =>
  once("endpoint", async () => {
    if (!receiver) throw new NotTestable("needs an address that the service can reach; pass --webhook-url");
    const registered = await service.call("registerWebhook", { body: { url: receiver.url } });
    if (!isSuccess(registered)) throw new CouldNotCheck("the service does not register the webhook endpoint");
    const secret = valueIn(registered, "secret");
    return { receiver, secret: typeof secret === "string" ? secret : null };
  });

async function deliver(context: ProbeContext): Promise<Delivered> {
  const { waitMs, reference } = context;
  const receiver = await endpoint(context);
  const own = reference();
  const created = await requestVirtualAccount(context, own);
  if (!isSuccess(created))
    throw new CouldNotCheck("no virtual account could be created, which sends a webhook");
  const webhook = await receiver.next(({ body }) => isAbout(body, own), Math.max(waitMs, webhookWaitMs));
  if (!webhook)
    throw new CouldNotCheck("no virtual_account.created arrived at --webhook-url; pass a longer --wait");
  return { webhook, replies: [created] };
}

/** Returns whether the payload of a webhook is about the record with this reference. */
export const isAbout = (body: unknown, reference: string): boolean =>
  valueAt(body, ["data", "reference"]) === reference;

const calls = 1 + callsToCreateAccount;
const additionalHeaders = ["x-service-event", "x-service-delivery", "x-service-attempt"];

export const webhooksHeaders: Probe<Assumptions["webhooks.headers"]> = {
  group: "webhooks",
  calls,
  async observe(context) {
    const { webhook, replies } = await delivered(context);
    const found = additionalHeaders.filter((name) => webhook.headers[name] !== undefined);
    const value =
      found.length === 0 ? "documented" : found.length === additionalHeaders.length ? "extended" : null;
    return { value, replies, note: `additional headers: ${found.join(", ") || "none"}` };
  },
};

/** Registers a second address, for an event that no probe causes. */
export const webhooksSecret: Probe<Assumptions["webhooks.secret"]> = {
  group: "webhooks",
  calls: 3,
  async observe(context) {
    const { url } = await endpoint(context);
    const register = (body: Record<string, unknown>) => context.service.call("registerWebhook", { body });
    const replies = [
      await register({ url }),
      await register({ url: `${url}?second`, events: ["payment.issue_resolved"] }),
    ];
    const [one, other] = replies.map((reply) => valueIn(reply, "secret"));
    if (typeof one !== "string" || typeof other !== "string")
      throw new CouldNotCheck("a registration does not return the secret");
    return { value: one === other ? "account" : "endpoint", replies };
  },
};

const documentedFields = "created_at,data,event";
const extendedFields = "created_at,data,event,id,is_test";

export const webhooksPayload: Probe<Assumptions["webhooks.payload"]> = {
  group: "webhooks",
  calls,
  async observe(context) {
    const { webhook, replies } = await delivered(context);
    const fields = Object.keys(webhook.body as object)
      .sort()
      .join(",");
    const value = fields === extendedFields ? "extended" : fields === documentedFields ? "bare" : null;
    return { value, replies, note: value ? `fields: ${fields}` : "the payload has other fields" };
  },
};

export const webhooksBytes: Probe<Assumptions["webhooks.bytes"]> = {
  group: "webhooks",
  calls,
  async observe(context) {
    const { webhook, replies } = await delivered(context);
    const isCompact = webhook.text === JSON.stringify(webhook.body);
    const note = isCompact
      ? "the body is as JSON.stringify writes it"
      : "the body has other bytes than JSON.stringify writes";
    return { value: isCompact ? "compact" : "spaced", replies, note };
  },
};
