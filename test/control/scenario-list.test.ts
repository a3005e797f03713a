import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { expect, onTestFinished, test } from "vitest";
import { call, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

test("scenario files are read and parsed one at a time, so that other requests are served in between", async () => {
  const { readFile } = fs.promises;
  let [files, concurrent, most] = [0, 0, 0];
  const counted = async (...args: Parameters<typeof readFile>) => {
    most = Math.max(most, ++concurrent);
    files++;
    return readFile(...args).finally(() => concurrent--);
  };
  Object.assign(fs.promises, { readFile: counted });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs.promises, { readFile });
    syncBuiltinESMExports();
  });
  const { body } = await call(sandbox.account(), "GET", "/_sandbox/scenarios");
  expect(files).toBeGreaterThanOrEqual(body.items.length);
  expect(most).toBe(1);
});
