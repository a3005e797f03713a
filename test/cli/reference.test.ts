import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { programFile, runProgram, temporaryFolder } from "../support/program.js";
import { runHere } from "./run-here.js";
import { standin, standinHere, useProgram } from "./use-program.js";

const program = useProgram();

describe("standin values", () => {
  test("lists every test value with the outcome that it triggers", async () => {
    const account = program.account();
    const { values } = JSON.parse(readFileSync("fixtures/test-values.json", "utf8"));
    const listed = await standinHere(account, "values");
    for (const { value, outcome } of values) {
      expect(listed).toContain(value);
      expect(listed).toContain(outcome);
    }
  });

  test("lists the outcomes of an operation, or of all whose id or path contains a text", async () => {
    const account = program.account();
    expect(await standinHere(account, "values", "verifyBvn")).toMatch(
      /^match \(default\) .* bvn 22222222220/m,
    );
    const { items } = JSON.parse(await standinHere(account, "values", "phone/verify", "--json"));
    expect(items.map(({ operation }: { operation: string }) => operation)).toEqual([
      "startPhoneVerification",
      "checkPhoneVerification",
    ]);
  });
});

test("standin values and standin assumptions need no running sandbox", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "standin.config.json"),
    JSON.stringify({ assumptions: { "http.created": "ok" } }),
  );
  const environment = { STANDIN_URL: "" };
  const values = await runProgram(["values", "verifyBvn"], folder, environment);
  expect(values).toMatchObject({ code: 0, stderr: "" });
  expect(values.stdout).toMatch(/^match \(default\) .* bvn 22222222220/m);
  const assumptions = await runProgram(["assumptions"], folder, environment);
  expect(assumptions).toMatchObject({ code: 0, stderr: "" });
  expect(assumptions.stdout).toMatch(/^http\.created +ok +created +never /m);
});

test("standin assumptions lists the value of each assumption, and its other values", async () => {
  const account = program.account();
  expect(await standin(account, "assumptions")).toMatch(
    /^http\.created +created +ok +never +Which HTTP status/m,
  );
  const { items } = JSON.parse(await standinHere(account, "assumptions", "--json"));
  expect(items).toEqual((await account.control<{ items: unknown }>("GET", "/assumptions")).items);
});

describe("standin export openapi", () => {
  test("prints the document in contracts/, without a sandbox", async () => {
    const { code, stdout } = await runProgram(["export", "openapi"]);
    expect([code, stdout]).toEqual([0, readFileSync("contracts/openapi.json", "utf8")]);
  });

  test("prints the document of the control API as a sandbox serves it", async () => {
    const account = program.account();
    const { stdout } = await runHere(["export", "openapi", "--control", "--url", account.baseUrl]);
    expect(JSON.parse(stdout)).toEqual(await account.control("GET", "/openapi.json"));
  });

  test("exits with 0 when stdout is closed", async () => {
    const child = spawn(process.execPath, [programFile, "export", "openapi"]);
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdout.destroy();
    expect([await once(child, "close"), stderr]).toEqual([[0, null], ""]);
  });
});
