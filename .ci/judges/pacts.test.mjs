/**
 * Checks contracts/pacts with two independent tools: the verifier of Pact's command line, against `standin verify --serve`,
 * and a comparator of pacts with contracts/openapi.json.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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

/** Runs `standin verify --serve` until `work`, which gets its URLs, is done. */
async function whileServing(work) {
  const sandbox = spawn(process.execPath, ["dist/standin.cjs", "verify", "--serve", "--json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(sandbox.stdout, "data");
    await work(JSON.parse(line));
  } finally {
    sandbox.kill("SIGTERM");
  }
}

/** Creates a temporary folder and removes it after `work`. */
async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "standin-pacts-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Resolves to the verifier's report. Its exit code is 0 even if it finds nothing to verify, so that is not enough. */
const runVerifier = ({ url, state_change_url }, files, ...options) =>
  inFolder(async (folder) => {
    const { hostname, port } = new URL(url);
    const report = join(folder, "report.json");
    const where = ["--hostname", hostname, "--port", port, "--transports", `message:${port}`];
    const states = ["--state-change-url", state_change_url, "--state-change-teardown", ...options];
    const sources = files.flatMap((file) => ["--file", file]);
    const args = ["verifier", ...where, ...states, ...sources, "--json", report, "--no-colour"];
    const env = { ...process.env, PACT_DO_NOT_TRACK: "true", NO_PROXY: hostname };
    const ran = run(process.execPath, [pactProgram, ...args], { env, maxBuffer: 1e8 });
    const { stdout } = await ran.catch((error) => error);
    const found = await readJson(report).catch(() => ({ result: false, interactionResults: [] }));
    if (!found.result) process.stderr.write(stdout);
    return found;
  });

/** Asserts that the verifier verifies all interactions of the pacts in these files. */
async function assertVerified(urls, files, ...options) {
  const pacts = await Promise.all(files.map(readJson));
  const { result, interactionResults } = await runVerifier(urls, files, ...options);
  const passed = interactionResults.filter((interaction) => interaction.result === "OK").length;
  const total = pacts.reduce((sum, { interactions }) => sum + interactions.length, 0);
  assert.ok(total > 0);
  assert.deepEqual({ result, passed }, { result: true, passed: total });
}

test("the verifier of Pact's command line verifies every interaction against standin verify --serve", () =>
  whileServing((urls) => assertVerified(urls, files)));

test("it passes with --state-change-as-query, with parameters of any type", () =>
  whileServing((urls) =>
    inFolder(async (folder) => {
      const headers = { "X-Service-Key": "svc_test_shop" };
      const payout = {
        description: "a payout",
        providerStates: [
          { name: "a settled balance", params: { amount: 30_000 } },
          { name: "a plan", params: { plan: "growth" } },
          { name: "a pending phone verification", params: { phone: "08031234567" } },
          { name: "a registered webhook", params: { events: ["payout.paid"] } },
        ],
        request: {
          method: "POST",
          path: "/v1/business/payouts",
          headers: { ...headers, "Content-Type": "application/json" },
          body: { amount: 25_000 },
        },
        response: { status: 201, body: { amount: 25_000 } },
      };
      const poor = {
        description: "a balance",
        providerStates: [{ name: "a wallet balance", params: { balance: 42 } }],
        request: { method: "GET", path: "/v1/balance", headers },
        response: { status: 200, body: { balance: 42 } },
      };
      const file = join(folder, "pact.json");
      const pact = {
        consumer: { name: "shop" },
        provider: { name: "service" },
        interactions: [payout, poor],
        metadata: { pactSpecification: { version: "3.0.0" } },
      };
      await writeFile(file, JSON.stringify(pact));
      await assertVerified(urls, [file], "--state-change-as-query");
    }),
  ));

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
