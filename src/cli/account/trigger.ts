/** `standin trigger`: sends a webhook event. */
import type { Command } from "commander";
import type { EventEntry } from "../../client/account/types.js";
import type { CommandClient } from "../command-client.js";
import { type ConnectionFlags, connect, printReply, withConnection } from "../connection.js";
import { topCommand } from "../documented-command.js";
import { UsageError } from "../errors.js";
import { formatCount, toOneLine } from "../output/table.js";

interface Flags extends ConnectionFlags {
  data?: string;
}

export const triggerCommand = (): Command =>
  withConnection(
    topCommand("trigger", [
      "standin trigger payout.paid",
      `standin trigger payment.received --data '{"reference":"order-1","amount":5000}'`,
    ])
      .argument("<event>", "event kind such as payout.paid; the error for an unknown one lists them all")
      .option("--data <json>", "data of the event, a JSON object (default: example data)"),
  ).action(trigger);

async function trigger(event: string, flags: Flags): Promise<void> {
  const api = connect(flags);
  const sent = await api.call("triggerEvent", { body: JSON.stringify({ event, ...parseData(flags) }) });
  const urls = flags.json ? [] : await receiversOf(api, sent.value);
  printReply(flags, sent, ({ id, hint }) => formatTriggered(event, id, urls, hint));
}

async function receiversOf(api: CommandClient, { id, event }: EventEntry): Promise<string[]> {
  const { value } = await api.call("listDeliveries", { query: { event } });
  return value.items.filter(({ event_id }) => event_id === id).map(({ url }) => url);
}

function parseData({ data }: Flags): { data?: unknown } {
  if (data === undefined) return {};
  try {
    return { data: JSON.parse(data) };
  } catch (error) {
    throw new UsageError(
      `--data must be a JSON object such as '{"amount":5000}'; ${(error as Error).message.split("\n")[0]}`,
    );
  }
}

const formatTriggered = (event: string, id: string, urls: readonly string[], hint = ""): string =>
  urls.length === 0
    ? `${event} (${id}) was not sent. ${hint}`.trimEnd()
    : [
        `${event} (${id}) is sent to ${formatCount(urls.length, "endpoint")}:`,
        ...urls.map((url) => `  ${toOneLine(url)}`),
      ].join("\n");
