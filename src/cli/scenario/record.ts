/** `standin scenario record`: writes what happened to an account as a scenario, or as a test. */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { type Command, Option } from "commander";
import type { ExportedPact, Recording } from "../../library/types.js";
import { type ConnectionFlags, connect, withConnection } from "../connection.js";
import { documentedCommand } from "../documented-command.js";
import { CommandError } from "../errors.js";
import { print, writeOutputFile } from "../output/print.js";
import { formatCount } from "../output/table.js";
import { formatPytest, formatVitest } from "./recorded-test.js";

interface Flags extends ConnectionFlags {
  since?: string;
  as?: "vitest" | "pytest" | "pact";
}

const notes = `The scenario repeats requests, moves, replies of people, rules, webhooks and the clock. It passes on a new account: ids are
captured and reused, times and codes are patterns, secrets are replaced, and webhook endpoints become receivers of the run.
With --since, the calls before it are repeated to set up the state. Uploaded files are written beside the scenario; the sandbox
keeps the newest ones in memory, and fixtures replace the others. What cannot be repeated is listed on stderr.`;

export const recordCommand = (): Command =>
  withConnection(
    documentedCommand(
      "record",
      "Write what happened to the account as a scenario that passes on a new account.",
      [
        "standin scenario record stories/rejected.yaml",
        "standin scenario record --since req_01h2xcejqtf2nbrexx3vqjhp41",
        "standin scenario record rejected.test.ts --as vitest",
      ],
      notes,
    )
      .argument("[file]", "output file, overwritten if it exists (default: stdout)")
      .option(
        "--since <id>",
        "id of the activity, request, event or record to begin with (default: the first)",
      )
      .addOption(
        new Option("--as <form>", "write a test in this form instead of a scenario").choices([
          "vitest",
          "pytest",
          "pact",
        ]),
      ),
    "print the recording as one JSON document",
  ).action(record);

async function record(file: string | undefined, flags: Flags): Promise<void> {
  const since = flags.since === undefined ? "" : `&since=${encodeURIComponent(flags.since)}`;
  if (flags.as === "pact") return recordPact(file, flags, since);
  // A test and a scenario on stdout are single files.
  const isOnePiece = file === undefined || flags.as !== undefined;
  const reply = await connect(flags).control<Recording>("GET", `/recording?inline=${isOnePiece}${since}`);
  const { scenario, files, left_out } = reply.value;
  const { steps = [] } = scenario as { steps?: unknown[] };
  if (steps.length === 0)
    throw new CommandError("nothing has happened to the account that could be recorded");
  const text = await format(scenario, file, flags);
  if (file !== undefined) {
    await write(file, text);
    const folder = dirname(file);
    for (const { name, base64 } of files)
      await writeFile(join(folder, name), Buffer.from(base64, "base64")).catch((error: Error) => {
        throw new CommandError(`${name} cannot be written to ${folder}: ${error.message}`);
      });
  }
  if (flags.json) return print(`${reply.text}\n`);
  report(left_out);
  const beside = files.length === 0 ? "" : ` and ${formatCount(files.length, "file")} beside it`;
  print(file === undefined ? text : `Wrote ${formatCount(steps.length, "step")} to ${file}${beside}.\n`);
}

async function format(scenario: object, file: string | undefined, { as }: Flags): Promise<string> {
  if (as === "vitest") return formatVitest(scenario);
  if (as === "pytest") return formatPytest(scenario);
  if (file !== undefined && extname(file) === ".json") return `${JSON.stringify(scenario, null, 2)}\n`;
  const { stringify } = await import("yaml");
  return stringify(scenario, { lineWidth: 120, aliasDuplicateObjects: false });
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true }).catch(() => {});
  await writeOutputFile(`the recording ${basename(file)}`, file, text);
}

async function recordPact(file: string | undefined, flags: Flags, since: string): Promise<void> {
  const reply = await connect(flags).control<ExportedPact>("GET", `/pact/export?of=requests${since}`);
  const { pact, left_out } = reply.value;
  const text = `${JSON.stringify(pact, null, 2)}\n`;
  if (file !== undefined) await write(file, text);
  if (flags.json) return print(`${reply.text}\n`);
  report(left_out);
  print(
    file === undefined ? text : `Wrote ${formatCount(pact.interactions.length, "interaction")} to ${file}.\n`,
  );
}

function report(leftOut: readonly string[]): void {
  for (const reason of leftOut) process.stderr.write(`left out: ${reason}\n`);
}
