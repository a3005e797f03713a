/**
 * Checks contracts/pacts with two independent tools: the verifier of Pact's command line, against `standin verify --serve`,
 * and a comparator of pacts with contracts/openapi.json.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { Comparator } from "@pactflow/openapi-pact-comparator";
import { root } from "./package.mjs";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const pactProgram = require.resolve("@pact-foundation/pact-cli/bin/pact.js");

const folder = join(root, "contracts/pacts");
const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
const files = names.map((name) => join(folder, name));
const readJson = async (file) => JSON.parse(await readFile(file, "utf8"));
const pacts = await Promise.all(files.map(readJson));

/** Resolves to the verifier's report. Its exit code is 0 even if it finds nothing to verify, so that is not enough. */
async function runVerifier({ url, state_change_url }) {
  const { hostname, port } = new URL(url);
  const reports = await mkdtemp(join(tmpdir(), "standin-pacts-"));
  const report = join(reports, "report.json");
  const where = ["--hostname", hostname, "--port", port, "--transports", `message:${port}`];
  const states = ["--state-change-url", state_change_url, "--state-change-teardown"];
  const sources = files.flatMap((file) => ["--file", file]);
  const args = ["verifier", ...where, ...states, ...sources, "--json", report, "--no-colour"];
  const options = { env: { ...process.env, PACT_DO_NOT_TRACK: "true", NO_PROXY: hostname }, maxBuffer: 1e8 };
  const { stdout } = await run(process.execPath, [pactProgram, ...args], options).catch((error) => error);
  const found = await readJson(report).catch(() => ({ result: false, interactionResults: [] }));
  await rm(reports, { recursive: true });
  if (!found.result) process.stderr.write(stdout);
  return found;
}

test("the verifier of Pact's command line verifies every interaction against standin verify --serve", async () => {
  const sandbox = spawn(process.execPath, ["dist/standin.cjs", "verify", "--serve", "--json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(sandbox.stdout, "data");
    const { result, interactionResults } = await runVerifier(JSON.parse(line));
    const passed = interactionResults.filter((interaction) => interaction.result === "OK").length;
    const total = pacts.reduce((sum, { interactions }) => sum + interactions.length, 0);
    assert.ok(total > 0);
    assert.deepEqual({ result, passed }, { result: true, passed: total });
  } finally {
    sandbox.kill("SIGTERM");
  }
});

test("a comparator of pacts with OpenAPI documents finds no error in any pact", async () => {
  const comparator = new Comparator(await readJson(join(root, "contracts/openapi.json")));
  const errors = [];
  for (const [index, pact] of pacts.entries())
    for await (const { type, message, mockDetails } of comparator.compare(pact))
      if (type === "error")
        errors.push(`${files[index]}: ${mockDetails?.interactionDescription}: ${message}`);
  assert.ok(pacts.length > 0);
  assert.deepEqual(errors, []);
});
