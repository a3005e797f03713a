/** Every recipe in examples/ uses paths, operations and events of the service that exist. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pathOf } from "../../src/contract/operation.js";
import { serviceOperations } from "../../src/service/index.js";
import { eventKinds } from "../../src/service/webhooks/events.js";

const examples = join(import.meta.dirname, "../../examples");

function textOf(recipe: string): string {
  const entries = readdirSync(join(examples, recipe), { withFileTypes: true, recursive: true });
  const files = entries.filter(
    (entry) => entry.isFile() && /\.(?:[mc]?[jt]s|py|java|php|go|cs)$/.test(entry.name),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

/** Returns the first group of each match. Java writes `\"` in its strings. */
const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.replaceAll('\\"', '"').matchAll(pattern)].map(([, name = ""]) => name)),
];

test.each([
  "vitest",
  "jest",
  "supertest",
  "playwright",
  "pytest",
  "junit",
  "phpunit",
  "go",
  "testcontainers",
])("examples/%s uses what the service has", (recipe) => {
  const text = textOf(recipe);
  const paths = found(text, /(\/v1\/[\w/-]+)/g);
  expect(paths.length).toBeGreaterThan(1);
  expect(serviceOperations.map(pathOf)).toEqual(expect.arrayContaining(paths));
  const names = found(text, /\b(?:on|operation)"?[:=] ?"([\w.]+)"/g);
  const known = [...serviceOperations.map(({ id }) => id), ...eventKinds];
  expect(known).toEqual(expect.arrayContaining(names));
});
