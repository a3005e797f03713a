/** `standin inbox`: lists the messages sent to people. */
import type { Command } from "commander";
import type { InboxMessage } from "../../library/types.js";
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
  const filters = Object.entries({ to: flags.to, channel: flags.channel }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const query = filters.length === 0 ? "" : `?${new URLSearchParams(filters)}`;
  const answer = await connect(flags).control<{ items: InboxMessage[] }>("GET", `/inbox${query}`);
  printReply(flags, answer, ({ items }) => formatMessages(items, filters));
}

function formatMessages(messages: readonly InboxMessage[], filters: readonly [string, string][]): string {
  if (messages.length === 0) {
    const given = filters.map(([name, value]) => `--${name} ${value}`).join(" ");
    return given ? `No message in the inbox matches ${given}.` : "The inbox is empty.";
  }
  const rows = messages.map(({ created_at, channel, to, codes, text }) => [
    created_at,
    channel,
    to,
    codes.join(" ") || "-",
    text,
  ]);
  return formatTable(["at", "channel", "to", "codes", "text"], rows);
}
