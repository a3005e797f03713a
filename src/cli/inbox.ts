/** `standin inbox`: what would have been sent to people. */
import type { Command } from "commander";
import type { InboxMessage } from "../library/types.js";
import { controlApi, onSandbox, print, type SteeringFlags, taught } from "./steering.js";
import { table } from "./table.js";

interface Flags extends SteeringFlags {
  to?: string;
  channel?: string;
}

export const inboxCommand = (): Command =>
  onSandbox(
    taught("inbox", "List the messages that people would have got, the newest first.", [
      "standin inbox",
      "standin inbox --to 08031234567 --channel sms",
    ])
      .option("--to <recipient>", "a phone number or an address")
      .option("--channel <channel>", "sms, chat or email"),
  ).action(inbox);

async function inbox(flags: Flags): Promise<void> {
  const wanted = Object.entries({ to: flags.to, channel: flags.channel }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const query = wanted.length === 0 ? "" : `?${new URLSearchParams(wanted)}`;
  const answer = await controlApi(flags).call<{ items: InboxMessage[] }>("GET", `/inbox${query}`);
  print(flags, answer, ({ items }) => describe(items, wanted));
}

function describe(messages: readonly InboxMessage[], wanted: readonly (readonly string[])[]): string {
  if (messages.length === 0) {
    const filter = wanted.map(([name, value]) => `--${name} ${value}`).join(" ");
    return filter ? `No message in the inbox fits ${filter}.` : "The inbox is empty.";
  }
  const rows = messages.map(({ created_at, channel, to, codes, text }) => [
    created_at,
    channel,
    to,
    codes.join(" ") || "-",
    text,
  ]);
  return table(["at", "channel", "to", "codes", "text"], rows);
}
