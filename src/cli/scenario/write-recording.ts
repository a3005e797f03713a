/** Writes recordings: scenarios with their files, tests and pacts. */
import { basename, dirname, extname, join } from "node:path";
import { Option } from "commander";
import type { ExportedPact, Recording } from "../../client/account/types.js";
import { CommandError } from "../errors.js";
import { print } from "../output/print.js";
import { formatCount } from "../output/table.js";
import { writeInFolder, writeOutputFile } from "../output/write-file.js";

const forms = ["vitest", "pytest", "pact"] as const;
export type RecordedForm = (typeof forms)[number];

export const formOption = (): Option =>
  new Option("--as <form>", "write a test in this form instead of a scenario").choices(forms);

export interface RecordingOutput {
  json?: true | undefined;
  /** Undefined for stdout. */
  file: string | undefined;
  as?: RecordedForm | undefined;
}

/** Returns whether the recording is written without files beside it, as tests and scenarios on stdout are. */
export const isOnePiece = ({ file, as }: RecordingOutput): boolean => file === undefined || as !== undefined;

/** Writes a scenario, or a test of it. Rejects with a CommandError if the recording is empty. */
export async function writeScenario(recording: Recording, output: RecordingOutput): Promise<void> {
  const { scenario, files, left_out } = recording;
  const { file, json } = output;
  const { steps = [] } = scenario as { steps?: unknown[] };
  if (steps.length === 0)
    throw new CommandError("nothing has happened to the account that could be recorded");
  const text = await format(scenario, output);
  if (file !== undefined) {
    await write(file, text);
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

const write = (file: string, text: string): Promise<void> =>
  writeInFolder(`the recording ${basename(file)}`, file, text);

export async function writePact(exported: ExportedPact, { file, json }: RecordingOutput): Promise<void> {
  const { pact, left_out } = exported;
  const text = `${JSON.stringify(pact, null, 2)}\n`;
  if (file !== undefined) await write(file, text);
  if (json) return print(`${JSON.stringify(exported)}\n`);
  report(left_out);
  print(
    file === undefined ? text : `Wrote ${formatCount(pact.interactions.length, "interaction")} to ${file}.\n`,
  );
}

function report(leftOut: readonly string[]): void {
  for (const reason of leftOut) process.stderr.write(`left out: ${reason}\n`);
}

/** Returns a test file of Vitest, which starts a sandbox of its own. */
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
const formatPytest = (scenario: object): string => `"""Recorded with standin; runs on a sandbox of its own."""

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
