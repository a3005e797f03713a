/** The paths of the control API are written once, in the table that its operations take them from. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { controlPrefix, controlRoutes } from "../../src/contract/control-routes.js";
import { controlOperations } from "../../src/control/index.js";

test("each operation of the control API has the route of its id, and the table has no other routes", () => {
  const routes = Object.fromEntries(controlOperations.map(({ id, route }) => [id, route]));
  expect(controlRoutes).toEqual(routes);
});

test("no other file of src has a path of the control API", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).map((name) => `src/${name}`);
  const sources = files.filter((file) => /\.(?:m?[jt]sx?|cjs|css|html)$/.test(file));
  const writing = sources.filter((file) => readFileSync(file, "utf8").includes(controlPrefix));
  expect(writing).toEqual(["src/contract/control-routes.ts"]);
});
