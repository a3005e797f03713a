/** `standin inbox`: lists the messages sent to people. */
import type { Command } from "commander";
import type { InboxMessage } from "../../client/account/types.js";
import { type ConnectionFlags, connect, printReply, withConnection } from "../connection.js";
import { topCommand } from "../documented-command.js";
import { formatTable } from "../output/table.js";

interface Flags extends ConnectionFlags {
  to?: string;
  /** Checked by the sandbox. */
  channel?: InboxMessage["channel"];
}

export const inboxCommand = (): Command =>
  withConnection(
    topCommand("inbox", ["standin inbox", "standin inbox --to 08031234567 --channel sms"])
      .option("--to <recipient>", "only messages to this phone number or email address")
      .option("--channel <channel>", "only messages of this channel: sms, chat or email"),
  ).action(inbox);

async function inbox(flags: Flags): Promise<void> {
  const { to, channel } = flags;
  const reply = await connect(flags).call("listMessages", { query: { to, channel } });
  const isFiltered = to !== undefined || channel !== undefined;
  printReply(flags, reply, ({ items }) => formatMessages(items, isFiltered));
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
