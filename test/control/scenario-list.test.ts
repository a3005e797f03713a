import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/program.js";
import { call, useSandbox } from "../support/sandbox.js";

const scenarios = temporaryFolder();
const sandbox = useSandbox({ scenarios });

test("a scenario of one's own may be in UTF-16, and one that is empty is refused as such", async () => {
  fs.writeFileSync(join(scenarios, "wide.yaml"), Buffer.from("\ufeffname: Wide\n", "utf16le"));
  fs.writeFileSync(join(scenarios, "empty.yaml"), "\n");
  onTestFinished(() => {
    for (const name of fs.readdirSync(scenarios)) fs.rmSync(join(scenarios, name));
  });
  const account = sandbox.account();
  expect((await call(account, "POST", "/_sandbox/scenarios/wide/load")).body).toMatchObject({
    title: "Wide",
  });
  expect(await call(account, "POST", "/_sandbox/scenarios/empty/load")).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/empty\.yaml:1:1: is empty/) } },
  });
});

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
