/** `standin scenario record`: writes what happened to an account, or the requests of an HTTP archive, as a scenario, a test or a pact. */

import { basename, dirname, extname, join } from "node:path";
import type { Command } from "commander";
import type { ExportedPact, Recording } from "../../client/account/types.js";
import { FileError, readJsonFile } from "../../contract/read-file.js";
import { exportRequests } from "../../pact/export/export-pact.js";
import { NotAnArchive, readArchive } from "../../scenarios/record/archive.js";
import { recordArchive } from "../../scenarios/record/record-archive.js";
import { resolveAssumptions } from "../../service/assumptions.js";
import { serviceOperations } from "../../service/index.js";
import { documentedCommand } from "../command-list.js";
import { type ConnectionFlags, connect, controlOptions } from "../connection.js";
import { CommandError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { formatCount, outputFile, print, writeInFolder, writeOutputFile } from "../output/print.js";

const notes = `The scenario repeats requests, moves, replies of people, rules, webhooks and the clock. It passes on a new account: ids are
captured and reused, times and codes are patterns, secrets are replaced, and webhook endpoints become receivers of the run.
With --since, the calls before it are repeated to set up the state. Uploaded files are written beside the scenario; the sandbox
keeps the newest ones in memory, and fixtures replace the others. What cannot be repeated is listed on stderr.
With --from-har, it is made of the requests in an HTTP archive of a browser, a proxy or standin har, and needs no sandbox.`;

const options = flagTable(null, [
  ["--since <id>", "id of the activity, request, event or record to begin with (default: the first)"],
  ["--from-har <file>", "HTTP archive to make the scenario of", { conflicts: ["since", "url", "key"] }],
  [
    "--as <form>",
    "write a test in this form instead of a scenario",
    { choices: ["vitest", "pytest", "pact"] },
  ],
]);

type Flags = ConnectionFlags & FlagsOf<typeof options>;

export const recordScenarioCommand = (): Command =>
  withFlags(
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
    ).argument("[file]", "output file, overwritten if it exists (default: stdout)"),
    options,
    ...controlOptions("print the recording as one JSON document"),
  ).action(record);

async function record(given: string | undefined, flags: Flags): Promise<void> {
  const file = outputFile(given);
  const { since, fromHar } = flags;
  if (fromHar !== undefined) {
    return recordHar(fromHar, { ...flags, file });
  }
  const sandbox = connect(flags);
  if (flags.as === "pact") {
    const { value } = await sandbox.export("pact", { query: { since } });
    return writePact(value, { ...flags, file });
  }
  const inline = isOnePiece({ ...flags, file });
  const { value } = await sandbox.export("scenario", { query: { inline, since } });
  await writeScenario(value, { ...flags, file });
}

interface RecordingOutput {
  json?: true | undefined;
  /** Undefined for stdout. */
  file: string | undefined;
  as?: Flags["as"] | undefined;
}

/** Returns whether the recording is written without files beside it, as tests and scenarios on stdout are. */
const isOnePiece = ({ file, as }: RecordingOutput): boolean => file === undefined || as !== undefined;

/** Writes a scenario, or a test of it. Rejects with a CommandError if the recording is empty. */
async function writeScenario(recording: Recording, output: RecordingOutput): Promise<void> {
  const { scenario, files, left_out } = recording;
  const { file, json } = output;
  const { steps = [] } = scenario as { steps?: unknown[] };
  if (steps.length === 0)
    throw new CommandError("nothing has happened to the account that could be recorded");
  const text = await format(scenario, output);
  if (file !== undefined) {
    await writeInFolder(`the recording ${basename(file)}`, file, text);
    const folder = dirname(file);
    for (const { name, base64 } of files)
      await writeOutputFile(name, join(folder, name), Buffer.from(base64, "base64"));
  }
  if (json) return print(`${JSON.stringify(recording)}\n`);
  report(left_out);
  const beside = files.length === 0 ? "" : ` and ${formatCount(files.length, "file")} beside it`;
  print(file === undefined ? text : `Wrote ${formatCount(steps.length, "step")} to ${file}${beside}.\n`);
}

async function format(scenario: object, { as, file = "" }: RecordingOutput): Promise<string> {
  if (as === "vitest") return formatVitest(scenario);
  if (as === "pytest") return formatPytest(scenario);
  if (extname(file) === ".json") return `${JSON.stringify(scenario, null, 2)}\n`;
  const { stringify } = await import("yaml");
  return stringify(scenario, { lineWidth: 120, aliasDuplicateObjects: false });
}

/** Writes a pact, and lists on stderr what was left out. */
export async function writePact(exported: ExportedPact, { file, json }: RecordingOutput): Promise<void> {
  const { pact, left_out } = exported;
  const text = `${JSON.stringify(pact, null, 2)}\n`;
  if (file !== undefined) await writeInFolder("the pact", file, text);
  if (json) return print(`${JSON.stringify(exported)}\n`);
  report(left_out);
  const interactions = formatCount(pact.interactions.length, "interaction");
  const names = `${pact.consumer.name} and ${pact.provider.name}`;
  print(file === undefined ? text : `Wrote ${interactions} between ${names} to ${file}.\n`);
}

function report(leftOut: readonly string[]): void {
  for (const reason of leftOut) process.stderr.write(`left out: ${reason}\n`);
}

/** Returns a test file of Vitest, which starts its own sandbox. */
const formatVitest = (scenario: object): string => `import { createSandbox, type Sandbox } from "standin";
import { afterAll, beforeAll, expect, test } from "vitest";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.close());

const scenario = ${JSON.stringify(scenario, null, 2)};

test(scenario.name, async () => {
  const { steps } = await sandbox.account().scenario.run(scenario);
  expect(steps.filter(({ passed }) => !passed)).toEqual([]);
  expect(steps).toHaveLength(scenario.steps.length);
});
`;

/** Returns a test file of pytest, which runs the scenario with the command line: `npx standin` has to be there. */
const formatPytest = (scenario: object): string => `"""Recorded with standin; runs on its own sandbox."""

import json
import subprocess

# The text of a JSON document has no three quotes in a row.
SCENARIO = r"""
${JSON.stringify(scenario, null, 2)}
"""


def test_${toIdentifier((scenario as { name: string }).name)}(tmp_path):
    file = tmp_path / "recorded.json"
    file.write_text(SCENARIO, encoding="utf-8")
    run = subprocess.run(
        ["npx", "--no-install", "standin", "scenario", "run", str(file), "--json"], capture_output=True, text=True
    )
    assert run.stdout, run.stderr
    (result,) = json.loads(run.stdout)["scenarios"]
    assert [step for step in result["steps"] if not step["passed"]] == []
    assert result["passed"]
`;

const toIdentifier = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");

/** Rejects with a FileError that says what is wrong with the archive. */
async function recordHar(file: string, output: RecordingOutput): Promise<void> {
  const { entries, leftOut, ...about } = await readArchive(await readJsonFile(file)).catch(
    (error: unknown) => {
      throw error instanceof NotAnArchive ? new FileError(`${file} ${error.message}`) : error;
    },
  );
  if (output.as === "pact") {
    const { pact, left_out } = exportRequests(
      {
        entries: entries.toReversed(),
        operations: serviceOperations,
        assumptions: resolveAssumptions(),
        mode: about.live ? "live" : "test",
      },
      { consumer: "client", provider: "service" },
    );
    return writePact({ pact, left_out: [...leftOut, ...left_out] }, output);
  }
  const inline = isOnePiece(output);
  const { scenario, files, left_out } = await recordArchive(entries, { ...about, inline });
  await writeScenario({ scenario: { ...scenario }, files, left_out: [...leftOut, ...left_out] }, output);
}
