/** `standin snapshot`, `har` and `bundle`: write an account, or what it did, to a file. */
import type { Command } from "commander";
import { topCommand } from "./command-list.js";
import { type ConnectionFlags, connect, withConnection } from "./connection.js";
import { print } from "./output/print.js";
import { withProgress } from "./output/progress.js";
import { formatCount } from "./output/table.js";
import { writeOutputFile } from "./output/write-file.js";

export const snapshotCommand = (): Command =>
  withConnection(
    topCommand("snapshot", [
      "standin snapshot paid.json",
      "standin snapshot --key svc_test_one | standin restore - --key svc_test_two",
    ]).argument("[file]", "output file, overwritten if it exists (default: stdout)"),
  ).action(snapshot);

async function snapshot(file: string | undefined, flags: ConnectionFlags): Promise<void> {
  const request = connect(flags).call("getSnapshot", { query: { fold: true } });
  const { text, value } = await withProgress("the account's state", request);
  if (file !== undefined) await writeOutputFile("the snapshot", file, text);
  // No line break at the end, so that file and stdout have the same bytes.
  if (file === undefined || flags.json) print(text);
  else print(`The state at ${value.clock.now} is saved in ${file}. To restore it: standin restore ${file}\n`);
}

const harNotes = `The last 1,000 requests with their replies, oldest first, as HAR 1.2: browsers, proxies and load testers read it.
Keys, codes, identity and card numbers and the webhook secret are replaced.`;

export const harCommand = (): Command =>
  withConnection(
    topCommand(
      "har",
      ["standin har requests.har", "standin har requests.har --key svc_test_demo"],
      harNotes,
    ).argument("<file>", "output file, overwritten if it exists"),
    "print what was written as one JSON document",
  ).action(har);

async function har(file: string, flags: ConnectionFlags): Promise<void> {
  const { value } = await connect(flags).call("getHar");
  await writeOutputFile("the archive", file, `${JSON.stringify(value, null, 2)}\n`);
  const requests = value.log.entries.length;
  if (flags.json) print(`${JSON.stringify({ file, requests })}\n`);
  else print(`Wrote ${formatCount(requests, "request")} to ${file}.\n`);
}

interface BundleFlags extends ConnectionFlags {
  account?: string;
}

const bundleNotes = `The file holds the state, the activities, requests and deliveries, the assumptions in force, the rules and the versions.
Keys, codes, identity and card numbers, expected answers and the webhook secret are replaced; names, phone numbers and texts
remain. To look at it: standin open FILE`;

export const bundleCommand = (): Command =>
  withConnection(
    topCommand(
      "bundle",
      ["standin bundle rejected-payout.zip", "standin bundle report.zip --account acct_dpd6oqznyhe5fdgk"],
      bundleNotes,
    )
      .argument("<file>", "output file, overwritten if it exists")
      .option("--account <id>", "id of an account, in place of its key"),
    "print what was written as one JSON document",
  ).action(bundle);

async function bundle(file: string, flags: BundleFlags): Promise<void> {
  const api = connect(flags);
  const headers = flags.account === undefined ? {} : { headers: { "X-Sandbox-Account": flags.account } };
  const { value } = await withProgress("the bundle", api.call("getBundle", headers));
  const { packBundle } = await import("./bundle/archive.js");
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
