/** Writes a recorded scenario as a test that needs no other file. */

/** Returns a test file of Vitest, which starts a sandbox of its own. */
export const formatVitest = (
  scenario: object,
): string => `import { createSandbox, type Sandbox } from "standin";
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
export const formatPytest = (
  scenario: object,
): string => `"""Recorded with standin; runs on a sandbox of its own."""

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
