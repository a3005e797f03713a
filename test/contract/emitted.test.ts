import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { methodOf, pathOf } from "../../src/contract/operation.js";
import { emittedFiles } from "../../src/documents/contracts.js";
import { serviceOperations } from "../../src/service/index.js";
import { eventKinds } from "../../src/service/webhooks/events.js";

const emitted = emittedFiles();
const document = JSON.parse(emitted["openapi.json"] as string);

test.each(Object.keys(emitted))(
  "%s of contracts/ is up to date with the code (npm run contracts writes it)",
  async (name) => {
    const there = await readFile(`contracts/${name}`, "utf8");
    expect(there === emitted[name], `contracts/${name} is stale; npm run contracts writes it anew`).toBe(
      true,
    );
  },
);

describe("contracts/openapi.json", () => {
  test("has every operation under its route and no others", () => {
    const there = Object.entries<Record<string, { operationId: string }>>(document.paths).flatMap(
      ([path, item]) =>
        Object.entries(item).map(
          ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
        ),
    );
    const expected = serviceOperations.map(
      (operation) => `${operation.id} ${methodOf(operation)} ${pathOf(operation)}`,
    );
    expect(there.sort()).toEqual(expected.sort());
  });

  test("has a webhook for each of the sixteen event kinds, with the signature header", () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventKinds].sort());
    expect(JSON.stringify(document.webhooks)).toContain("X-Service-Signature");
  });

  test("does not mention anything that only the sandbox has", () => {
    const text = emitted["openapi.json"] as string;
    expect(text).not.toContain("unknown_outcome");
    expect(text).not.toContain("/_sandbox/");
    expect(text).not.toMatch(/x-error|x-rule/);
  });

  test("marks everything that the interface does not show", () => {
    const reply = document.paths["/v1/webhooks"].post;
    expect(JSON.stringify(reply) + JSON.stringify(document.components)).toContain(
      '"x-assumption":"webhooks.endpoint"',
    );
  });
});
