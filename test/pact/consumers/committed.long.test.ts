/** Verifies the committed pacts of the example consumers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { pathOf } from "../../../src/contract/operation.js";
import type { InteractionResult } from "../../../src/pact/verify/interaction-results.js";
import { serviceOperations } from "../../../src/service/index.js";
import { repetitions, shareOf } from "../../support/repetitions.js";
import { verify } from "../export/verified.js";

const pacts = join(import.meta.dirname, "../../../contracts/pacts");

const found: InteractionResult[] = [];
// Short runs verify every second interaction. In every run, export/traffic.test.ts verifies those of a client of every group.
beforeAll(async () => {
  for (const [turn, name] of readdirSync(pacts).entries()) {
    const pact = JSON.parse(readFileSync(join(pacts, name), "utf8"));
    const interactions: object[] = [...shareOf(pact.interactions as object[], 2, turn)];
    found.push(...(await verify({ ...pact, interactions })).interactions);
  }
});

test("the service meets every interaction", () => {
  expect(found.flatMap(({ problems }) => problems)).toEqual([]);
  expect(found.filter(({ result }) => result === "passed").length).toBeGreaterThanOrEqual(
    repetitions(30, 60),
  );
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
