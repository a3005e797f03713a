/** `standin restore`: an account, put back to what a snapshot holds. */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import type { RestoreResult } from "../library/types.js";
import { UsageError } from "./config.js";
import { waitingFor } from "./progress.js";
import { controlApi, onSandbox, print, type SteeringFlags, taught } from "./steering.js";
import { count } from "./table.js";

export const restoreCommand = (): Command =>
  onSandbox(
    taught("restore", "Replace everything of the account with what a snapshot holds.", [
      "standin restore paid.json",
      "standin restore paid.json --key svc_test_another",
    ]).argument("<file>", "what standin snapshot wrote; - reads stdin"),
  ).action(restore);

async function restore(file: string, flags: SteeringFlags): Promise<void> {
  const api = controlApi(flags);
  const snapshot = await read(file);
  const restoring = api.call<RestoreResult>("PUT", "/snapshot", snapshot);
  print(flags, await waitingFor("the sandbox to restore the account", restoring), ({ now, records }) =>
    [
      `${count(records, "record")} restored.`,
      `The clock stands at ${now}, and nothing is sent until "standin advance" moves it or POST /_sandbox/clock/resume lets it run.`,
    ].join(" "),
  );
}

const read = (file: string): Promise<string> =>
  (file === "-" ? text(process.stdin) : readFile(file, "utf8")).catch((error: Error) => {
    throw new UsageError(`the snapshot ${file} cannot be read: ${error.message}`);
  });
