/** `standin snapshot`: the account's whole state, byte for byte as the sandbox gave it. */
import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { Snapshot } from "../library/types.js";
import { CommandFailure } from "./control-api.js";
import { waitingFor } from "./progress.js";
import { controlApi, onSandbox, type SteeringFlags, taught, write } from "./steering.js";

export const snapshotCommand = (): Command =>
  onSandbox(
    taught("snapshot", "Write the account's whole state to a file, or to stdout.", [
      "standin snapshot paid.json",
      "standin snapshot --key svc_test_one | standin restore - --key svc_test_two",
    ]).argument("[file]", "where to write it; what stands there is replaced (default: stdout)"),
  ).action(snapshot);

async function snapshot(file: string | undefined, flags: SteeringFlags): Promise<void> {
  const asking = controlApi(flags).call<Snapshot>("GET", "/snapshot");
  const { text, value } = await waitingFor("the account's state", asking);
  if (file !== undefined) {
    await writeFile(file, text).catch((error: Error) => {
      throw new CommandFailure(`the snapshot cannot be written to ${file}: ${error.message}`);
    });
  }
  // No line break at its end: the same state gives the same bytes, wherever they go.
  if (file === undefined || flags.json) write(text);
  else
    write(`${file} holds the account as of ${value.clock.now}; "standin restore ${file}" brings it back.\n`);
}
