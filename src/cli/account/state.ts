/** `standin reset`, `snapshot` and `restore`: empty an account, save its state, and put it back. */
import { buffer } from "node:stream/consumers";
import type { Command } from "commander";
import type { RestoreResult } from "../../client/account/types.js";
import { controlRoutes } from "../../contract/control-routes.js";
import { decodeText, readTextFile, refuseEmpty } from "../../contract/read-file.js";
import { type ConnectionFlags, connect, printReply, withConnection } from "../connection.js";
import { topCommand } from "../documented-command.js";
import { print } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { formatCount } from "../output/table.js";
import { writeOutputFile } from "../output/write-file.js";

export const resetCommand = (): Command =>
  withConnection(topCommand("reset", ["standin reset", "standin reset --key svc_test_another"])).action(
    async (flags: ConnectionFlags) => {
      const api = connect(flags);
      printReply(flags, await api.call("resetAccount"), () => `The account of ${api.key} has been reset.`);
    },
  );

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

export const restoreCommand = (): Command =>
  withConnection(
    topCommand("restore", [
      "standin restore paid.json",
      "standin restore paid.json --key svc_test_another",
    ]).argument("<file>", "file that standin snapshot wrote; - reads stdin"),
  ).action(restore);

async function restore(file: string, flags: ConnectionFlags): Promise<void> {
  const api = connect(flags);
  const name = file === "-" ? "the snapshot on stdin" : `the snapshot ${file}`;
  const document = file === "-" ? decodeText(await buffer(process.stdin)) : await readTextFile(file, name);
  refuseEmpty(document, name);
  const restoring = api.call("restoreSnapshot", { body: document });
  printReply(flags, await withProgress("the sandbox to restore the account", restoring), formatRestore);
}

const formatRestore = ({ now, records }: RestoreResult): string =>
  `${formatCount(records, "record")} restored. The clock is stopped at ${now}: nothing is sent until "standin advance" or ${controlRoutes.resumeClock}.`;
