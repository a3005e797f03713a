/** Tools that integrators have open the exports, and every call in them succeeds on a fresh account of a sandbox. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import asyncApiParser from "@asyncapi/parser";
import newman from "newman";
import { root } from "./package.mjs";
import { redocly } from "./redocly.mjs";

const program = join(root, "dist/standin.cjs");

/** Starts a sandbox until the test has ended. Returns the path of an export for it. */
async function exported(context, kind) {
  const sandbox = spawn(process.execPath, [program, "start", "--port", "0", "--memory", "--json"]);
  context.after(() => sandbox.kill());
  const [line] = await once(sandbox.stdout.setEncoding("utf8"), "data");
  const { url } = JSON.parse(line);
  const file = join(mkdtempSync(join(tmpdir(), "standin-export-")), `${kind}.json`);
  writeFileSync(
    file,
    execFileSync(process.execPath, [program, "export", kind, "--url", url], { maxBuffer: 64e6 }),
  );
  return file;
}

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

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
const operations = Object.values(readJson(join(root, "contracts/openapi.json")).paths).flatMap(
  Object.keys,
).length;

test("newman runs the Postman collection", async (context) => {
  await runCollection(readJson(await exported(context, "postman")), operations);
});

test("AsyncAPI's parser reads the document of the events without a remark", async (context) => {
  const text = readFileSync(await exported(context, "asyncapi"), "utf8");
  const { document, diagnostics } = await new asyncApiParser.Parser().parse(text);
  assert.deepEqual(
    diagnostics.map(({ message, path }) => `${path.join("/")}: ${message}`),
    [],
  );
  assert.equal(document.allMessages().all().length, 16);
});

test("Redocly runs at least 20 scenarios as workflows of Arazzo", async (context) => {
  const file = await exported(context, "arazzo");
  const { status, stdout, stderr } = redocly("respect", file);
  const told = `${stdout}${stderr}`;
  assert.equal(status, 0, told.slice(-3_000));
  const [, passed, total] = /Workflows: (\d+) passed, (\d+) total/.exec(told) ?? [];
  assert.equal(passed, total, told.slice(-3_000));
  assert.ok(Number(total) >= 20, `${total} workflows`);
});
