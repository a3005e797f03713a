/** `standin bundle`: writes everything about an account into one file, without secrets. */
import type { Command } from "commander";
import { CommandClient } from "../command-client.js";
import { type ConnectionFlags, connectionOf, withConnection } from "../connection.js";
import { topCommand } from "../documented-command.js";
import { print } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { formatCount } from "../output/table.js";
import { writeOutputFile } from "../output/write-file.js";
import { packBundle } from "./archive.js";

interface Flags extends ConnectionFlags {
  account?: string;
}

const notes = `The file holds the state, the activities, requests and deliveries, the assumptions in force, the rules and the versions.
Keys, codes, identity and card numbers, expected answers and the webhook secret are replaced; names, phone numbers and texts
remain. To look at it: standin open FILE`;

export const bundleCommand = (): Command =>
  withConnection(
    topCommand(
      "bundle",
      ["standin bundle rejected-payout.zip", "standin bundle report.zip --account acct_dpd6oqznyhe5fdgk"],
      notes,
    )
      .argument("<file>", "output file, overwritten if it exists")
      .option("--account <id>", "id of an account, in place of its key"),
    "print what was written as one JSON document",
  ).action(bundle);

async function bundle(file: string, flags: Flags): Promise<void> {
  const api = new CommandClient(connectionOf(flags));
  const headers = flags.account === undefined ? {} : { headers: { "X-Sandbox-Account": flags.account } };
  const { value } = await withProgress("the bundle", api.call("getBundle", headers));
  await writeOutputFile("the bundle", file, await packBundle(value));
  const { activity = {} } = value.history.state as { activity?: object };
  const written = {
    file,
    now: value.now,
    activities: Object.keys(activity).length,
    deliveries: value.deliveries.length,
  };
  if (flags.json) return print(`${JSON.stringify(written)}\n`);
  const counts = [
    formatCount(written.activities, "activity", "activities"),
    formatCount(written.deliveries, "delivery", "deliveries"),
  ];
  print(
    `Wrote the account at ${value.now}, ${counts.join(" and ")} to ${file}. To look at it: standin open ${file}\n`,
  );
}
