/** The PDF engine extends modules of pdfmake that are not its public API, so its version is exact. */
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };

const require = createRequire(import.meta.url);

test("the package asks for exactly the installed version", () => {
  const { version } = require("pdfmake/package.json");
  expect(packageJson.optionalDependencies.pdfmake).toBe(version);
});

test.each([
  ["PDFDocument", ["provideFont", "provideImage"]],
  [
    "Line",
    ["addInline", "getAvailableWidth", "hasEnoughSpaceForInline", "getHeight", "getAscenderHeight", "clone"],
  ],
  [
    "LayoutBuilder",
    [
      "layoutDocument",
      "processTable",
      "processNode",
      "processRow",
      "addHeadersAndFooters",
      "addDynamicRepeatable",
      "buildNextLine",
    ],
  ],
  [
    "Renderer",
    ["renderPages", "renderImage", "beginVerticalAlignment", "endVerticalAlignment", "renderLine"],
  ],
])("its private module %s has the methods that the engine calls or replaces", (name, methods) => {
  const { prototype } = require(`pdfmake/js/${name}.js`).default;
  expect(methods.filter((method) => typeof prototype[method] !== "function")).toEqual([]);
});
