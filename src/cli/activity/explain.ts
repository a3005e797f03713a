/** `standin explain`: prints the causes and effects of an activity. */
import type { Command } from "commander";
import { formatExplanation } from "../../client/account/format-activity.js";
import { type ConnectionFlags, connect, printReply, withConnection } from "../connection.js";
import { documentedCommand } from "../documented-command.js";

const notes = `The line marked > is the activity itself. Its causes are above it, its effects below. The sandbox keeps
the last 1,000 requests of an account and their effects, until it stops.`;

export const explainCommand = (): Command =>
  withConnection(
    documentedCommand(
      "explain",
      "Explain why something happened: its causes and its effects.",
      ["standin explain req_4ag161h9000003", "standin explain evt_wvnggn0pgw671xj2fzxx"],
      notes,
    ).argument("<id>", "id of a request, event, delivery, message, record or activity"),
  ).action(explain);

async function explain(id: string, flags: ConnectionFlags): Promise<void> {
  const explaining = connect(flags).call("explainActivity", { params: { id } });
  printReply(flags, await explaining, formatExplanation);
}
