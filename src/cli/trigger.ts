/** `standin trigger`: an event, sent by hand. */
import type { Command } from "commander";
import type { DeliveryEntry, EventEntry } from "../library/types.js";
import { UsageError } from "./config.js";
import type { ControlApi } from "./control-api.js";
import { controlApi, onSandbox, print, type SteeringFlags, taught } from "./steering.js";
import { count, oneLine } from "./table.js";

interface Flags extends SteeringFlags {
  data?: string;
}

export const triggerCommand = (): Command =>
  onSandbox(
    taught("trigger", "Send a webhook event to the account's endpoints, signed like any other.", [
      "standin trigger payout.paid",
      `standin trigger payment.received --data '{"reference":"order-1","amount":5000}'`,
    ])
      .argument("<event>", "such as payout.paid; one that does not exist is answered with all that do")
      .option("--data <json>", "the event's data, a JSON object (default: example data)"),
  ).action(trigger);

async function trigger(event: string, flags: Flags): Promise<void> {
  const api = controlApi(flags);
  const sent = await api.call<EventEntry>("POST", "/events", { event, ...dataOf(flags) });
  const urls = flags.json ? [] : await endpointsOf(api, sent.value);
  print(flags, sent, ({ id }) => describe(event, id, urls));
}

async function endpointsOf(api: ControlApi, { id, event }: EventEntry): Promise<string[]> {
  const path = `/deliveries?event=${encodeURIComponent(event)}`;
  const { value } = await api.call<{ items: DeliveryEntry[] }>("GET", path);
  return value.items.filter(({ event_id }) => event_id === id).map(({ url }) => url);
}

function dataOf({ data }: Flags): { data?: unknown } {
  if (data === undefined) return {};
  try {
    return { data: JSON.parse(data) };
  } catch (error) {
    throw new UsageError(
      `--data takes a JSON object such as '{"amount":5000}'; ${(error as Error).message.split("\n")[0]}`,
    );
  }
}

const describe = (event: string, id: string, urls: readonly string[]): string =>
  urls.length === 0
    ? `${event} happened (${id}), and was sent nowhere: no endpoint of the account wants it. POST /v1/webhooks registers one.`
    : [
        `${event} (${id}) goes to ${count(urls.length, "endpoint")}:`,
        ...urls.map((url) => `  ${oneLine(url)}`),
      ].join("\n");
