/** `standin har`: writes the requests of an account as an HTTP archive. */
import type { Command } from "commander";
import { type ConnectionFlags, connect, withConnection } from "../connection.js";
import { topCommand } from "../documented-command.js";
import { print } from "../output/print.js";
import { formatCount } from "../output/table.js";
import { writeOutputFile } from "../output/write-file.js";

const notes = `The last 1,000 requests with their replies, oldest first, as HAR 1.2: browsers, proxies and load testers read it.
Keys, codes, identity and card numbers and the webhook secret are replaced.`;

export const harCommand = (): Command =>
  withConnection(
    topCommand(
      "har",
      ["standin har requests.har", "standin har requests.har --key svc_test_demo"],
      notes,
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
