/** `standin scenario record`: writes what happened to an account as a scenario, or as a test. */
import { type Command, Option } from "commander";
import { documentedCommand } from "../command-list.js";
import { type ConnectionFlags, connect, withConnection } from "../connection.js";
import { formOption, isOnePiece, type RecordedForm, writePact, writeScenario } from "./write-recording.js";

interface Flags extends ConnectionFlags {
  since?: string;
  fromHar?: string;
  as?: RecordedForm;
}

const notes = `The scenario repeats requests, moves, replies of people, rules, webhooks and the clock. It passes on a new account: ids are
captured and reused, times and codes are patterns, secrets are replaced, and webhook endpoints become receivers of the run.
With --since, the calls before it are repeated to set up the state. Uploaded files are written beside the scenario; the sandbox
keeps the newest ones in memory, and fixtures replace the others. What cannot be repeated is listed on stderr.
With --from-har, it is made of the requests in an HTTP archive of a browser, a proxy or standin har, and needs no sandbox.`;

export const recordScenarioCommand = (): Command =>
  withConnection(
    documentedCommand(
      "record",
      "Write what happened to the account as a scenario that passes on a new account.",
      [
        "standin scenario record stories/rejected.yaml",
        "standin scenario record --since req_01h2xcejqtf2nbrexx3vqjhp41",
        "standin scenario record rejected.test.ts --as vitest",
        "standin scenario record stories/checkout.yaml --from-har checkout.har",
      ],
      notes,
    )
      .argument("[file]", "output file, overwritten if it exists (default: stdout)")
      .option(
        "--since <id>",
        "id of the activity, request, event or record to begin with (default: the first)",
      )
      .addOption(
        new Option("--from-har <file>", "HTTP archive to make the scenario of").conflicts([
          "since",
          "url",
          "key",
        ]),
      )
      .addOption(formOption()),
    "print the recording as one JSON document",
  ).action(record);

async function record(file: string | undefined, flags: Flags): Promise<void> {
  const { since, fromHar } = flags;
  if (fromHar !== undefined) {
    const { recordArchive } = await import("./record-archive.js");
    return recordArchive(fromHar, { ...flags, file });
  }
  const sandbox = connect(flags);
  if (flags.as === "pact") {
    const { value } = await sandbox.call("exportPact", { query: { of: "requests", since } });
    return writePact(value, { ...flags, file });
  }
  const inline = isOnePiece({ ...flags, file });
  const { value } = await sandbox.call("getRecording", { query: { inline, since } });
  await writeScenario(value, { ...flags, file });
}
