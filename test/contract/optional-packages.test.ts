import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { asNotInstalled, notInstalled } from "../../src/contract/optional-packages.js";

const failureOf = (load: () => unknown): unknown => {
  try {
    return load();
  } catch (error) {
    return error;
  }
};
const require = createRequire(import.meta.url);
const esm = (message: string) => Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" });
const sharp = 'Could not load the "sharp" module using the linux-x64 runtime';

test.each([
  [failureOf(() => require("not-there")), "not-there"],
  [failureOf(() => require("not-there/package.json")), "not-there"],
  [failureOf(() => require("@not/there/js/file.js")), "@not/there"],
  [esm("Cannot find package 'not-there' imported from /app/dist/bundle/tool-worker.js"), "not-there"],
  [esm("Cannot find package '@not/there' imported from /app/dist/bundle/tool-worker.js"), "@not/there"],
  [new Error(`${sharp}\nPossible solutions:\n- Ensure`), "@img/sharp-linux-x64"],
  [new Error("Couldn't find npm package @pact/core-linux-x64 \n you can tell"), "@pact/core-linux-x64"],
])("names the missing package: %s", (error, name) => {
  expect(asNotInstalled(error)).toEqual(notInstalled(name));
});

test.each([
  [failureOf(() => require("./not-there.js"))],
  [failureOf(() => require("/not/there.js"))],
  [esm("Cannot find module 'C:\\app\\chunk.js' imported from C:\\app\\index.js")],
  [esm("Cannot find module '/app/dist/bundle/chunk.js' imported from /app/dist/bundle/index.js")],
  [new Error(`${sharp}\nERR_DLOPEN_FAILED: libstdc++.so.6\nPossible solutions:`)],
  [new Error("there is no package 'not-there'")],
  ["Cannot find package 'not-there'"],
  [null],
])("leaves other errors unchanged: %s", (error) => {
  expect(asNotInstalled(error)).toBeNull();
});
