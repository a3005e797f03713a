/** Verifies the committed pacts of the example consumers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { pathOf } from "../../../src/contract/operation.js";
import { serviceOperations } from "../../../src/service/index.js";
import { runProgram } from "../../support/program.js";

interface Found {
  consumer: string;
  kind: string;
  result: string;
  problems: string[];
}

const pacts = join(import.meta.dirname, "../../../contracts/pacts");

let found: Found[];
beforeAll(async () => {
  const { stdout } = await runProgram(["verify", pacts, "--json"]);
  found = JSON.parse(stdout).interactions;
});

test("the service meets every interaction", () => {
  expect(found.flatMap(({ problems }) => problems)).toEqual([]);
  expect(found.filter(({ result }) => result === "passed").length).toBeGreaterThanOrEqual(60);
});

test("there are three consumers, with requests and messages", () => {
  expect(new Set(found.map(({ consumer }) => consumer))).toEqual(new Set(["back-office", "shop", "signup"]));
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(["http", "message"]));
});

test("every group of the service is covered", () => {
  const asked = readdirSync(pacts).flatMap((name) => {
    const { interactions } = JSON.parse(readFileSync(join(pacts, name), "utf8"));
    return interactions.flatMap(({ request }: { request?: { path: string } }) => request?.path ?? []);
  });
  const group = (path: string) => path.split("/")[2];
  expect(new Set(asked.map(group))).toEqual(
    new Set(serviceOperations.map((operation) => group(pathOf(operation)))),
  );
});
