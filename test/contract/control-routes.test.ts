/** The paths of the control API are written once, in the table that its operations take them from. */
import { expect, test } from "vitest";
import { controlRoutes } from "../../src/contract/control-routes.js";
import { controlOperations } from "../../src/control/index.js";

test("each operation of the control API has the route of its id, and the table has no other routes", () => {
  const routes = Object.fromEntries(controlOperations.map(({ id, route }) => [id, route]));
  expect(controlRoutes).toEqual(routes);
});
