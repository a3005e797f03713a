/** `standin inbox`: lists the messages sent to people. */
import type { Command } from "commander";
import type { InboxMessage } from "../../client/account/types.js";
import { type ConnectionFlags, connect, printReply, withConnection } from "../connection.js";
import { documentedCommand } from "../documented-command.js";
import { formatTable } from "../output/table.js";

interface Flags extends ConnectionFlags {
  to?: string;
  channel?: string;
}

export const inboxCommand = (): Command =>
  withConnection(
    documentedCommand("inbox", "List the messages sent to people, newest first.", [
      "standin inbox",
      "standin inbox --to 08031234567 --channel sms",
    ])
      .option("--to <recipient>", "only messages to this phone number or email address")
      .option("--channel <channel>", "only messages of this channel: sms, chat or email"),
  ).action(inbox);

async function inbox(flags: Flags): Promise<void> {
  const filters = new URLSearchParams();
  if (flags.to !== undefined) filters.set("to", flags.to);
  if (flags.channel !== undefined) filters.set("channel", flags.channel);
  const reply = await connect(flags).control<{ items: InboxMessage[] }>("GET", `/inbox?${filters}`);
  printReply(flags, reply, ({ items }) => formatMessages(items, filters.size > 0));
}

function formatMessages(messages: readonly InboxMessage[], isFiltered: boolean): string {
  if (messages.length === 0) return isFiltered ? "No message in the inbox matches." : "The inbox is empty.";
  const rows = messages.map(({ created_at, channel, to, codes, text }) => [
    created_at,
    channel,
    to,
    codes.join(" ") || "-",
    text,
  ]);
  return formatTable(["at", "channel", "to", "codes", "text"], rows);
}
