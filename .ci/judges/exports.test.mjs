/** Tools that integrators have open the exports, and every call in them succeeds on a fresh account of a sandbox. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import asyncApiParser from "@asyncapi/parser";
import { createCollectionFromBrunoObject } from "@usebruno/cli/src/utils/collection.js";
import newman from "newman";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "dist/standin.cjs");

/** Starts a sandbox until the test has ended. Returns the folder of an export for it. */
async function exported(context, kind) {
  const sandbox = spawn(process.execPath, [program, "start", "--port", "0", "--memory", "--json"]);
  context.after(() => sandbox.kill());
  const [line] = await once(sandbox.stdout.setEncoding("utf8"), "data");
  const { url } = JSON.parse(line);
  // The command makes the folder of the export.
  const folder = join(mkdtempSync(join(tmpdir(), "standin-export-")), "requests");
  execFileSync(process.execPath, [program, "export", kind, "--out", folder, "--url", url]);
  return { folder, url };
}

const readJson = (folder, file) => JSON.parse(readFileSync(join(folder, file), "utf8"));

/** Runs a collection and expects every call to succeed. */
async function runCollection(collection, atLeast) {
  const summary = await new Promise((resolve, reject) =>
    newman.run({ collection, workingDir: root }, (error, done) => (error ? reject(error) : resolve(done))),
  );
  const { executions, failures } = summary.run;
  assert.deepEqual(
    failures.map(({ error }) => error.message),
    [],
  );
  const refused = executions.filter(({ response }) => response.code >= 300);
  assert.deepEqual(
    refused.map(({ item, response }) => `${item.name}: ${response.code} ${response.text()}`),
    [],
  );
  assert.ok(executions.length >= atLeast, `${executions.length} calls`);
}

/** Number of the operations of the service. */
const operations = 53;

test("newman runs the Postman collection", async (context) => {
  const { folder } = await exported(context, "postman");
  await runCollection(readJson(folder, "standin.postman_collection.json"), operations);
});

test("Bruno's command line runs the Bruno collection", async (context) => {
  const { folder, url } = await exported(context, "bruno");
  const collection = readJson(folder, "standin.bruno.json");
  assert.equal(collection.environments[0].variables.find(({ name }) => name === "baseUrl").value, url);
  cpSync(join(root, "fixtures"), join(folder, "fixtures"), { recursive: true });
  await createCollectionFromBrunoObject(collection, folder, { format: "bru" });
  const bru = fileURLToPath(new URL("node_modules/@usebruno/cli/bin/bru.js", import.meta.url));
  const args = [bru, "run", "-r", "--env", "sandbox", "--reporter-json", "report.json"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const [{ results }] = readJson(folder, "report.json");
  const refused = results.filter(({ error, response }) => error || !(response.status < 300));
  assert.deepEqual(
    refused.map(({ name, error, response }) => `${name}: ${error ?? response.status}`),
    [],
    `${stdout}${stderr}`,
  );
  assert.ok(results.length >= operations, `${results.length} calls`);
});

test("httpYac runs the .http file with its environment", async (context) => {
  const { folder } = await exported(context, "http");
  cpSync(join(root, "fixtures"), join(folder, "fixtures"), { recursive: true });
  const httpyac = fileURLToPath(new URL("node_modules/httpyac/bin/httpyac.js", import.meta.url));
  const args = [httpyac, "send", "standin.http", "--all", "-e", "sandbox", "--output", "none"];
  const told = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const [, processed, succeeded] = /(\d+) requests processed \((\d+) succeeded\)/.exec(told) ?? [];
  assert.equal(succeeded, processed, told);
  assert.ok(Number(processed) >= operations, told);
});

test("AsyncAPI's parser reads the document of the events without a remark", async (context) => {
  const { folder } = await exported(context, "asyncapi");
  const text = readFileSync(join(folder, "standin.asyncapi.json"), "utf8");
  const { document, diagnostics } = await new asyncApiParser.Parser().parse(text);
  assert.deepEqual(
    diagnostics.map(({ message, path }) => `${path.join("/")}: ${message}`),
    [],
  );
  assert.equal(document.allMessages().all().length, 16);
});

test("Redocly runs at least 20 scenarios as workflows of Arazzo", async (context) => {
  const { folder } = await exported(context, "arazzo");
  const redocly = join(root, "node_modules/@redocly/cli/bin/cli.js");
  const file = join(folder, "standin.arazzo.json");
  const { status, stdout, stderr } = spawnSync(process.execPath, [redocly, "respect", file], {
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  const told = `${stdout}${stderr}`;
  assert.equal(status, 0, told.slice(-3_000));
  const [, passed, total] = /Workflows: (\d+) passed, (\d+) total/.exec(told) ?? [];
  assert.equal(passed, total, told.slice(-3_000));
  assert.ok(Number(total) >= 20, `${total} workflows`);
});
