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

/** Counts how often files and folders are read, and how many are at a time, until the test has finished. */
function countReads() {
  const { readFile, readdir } = fs.promises;
  const counts = { files: 0, folders: 0, most: 0 };
  let concurrent = 0;
  const countedFile = async (...args: Parameters<typeof readFile>) => {
    counts.most = Math.max(counts.most, ++concurrent);
    counts.files++;
    return readFile(...args).finally(() => concurrent--);
  };
  const countedFolder = (...args: Parameters<typeof readdir>) => {
    counts.folders++;
    return readdir(...args);
  };
  Object.assign(fs.promises, { readFile: countedFile, readdir: countedFolder });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs.promises, { readFile, readdir });
    syncBuiltinESMExports();
  });
  return counts;
}

test("scenario files are read and parsed one at a time, and the built-in ones once", async () => {
  const own = ["first.yaml", "second.yaml"].map((name) => join(scenarios, name));
  for (const file of own) fs.writeFileSync(file, "name: Mine\n");
  onTestFinished(() => {
    for (const file of own) fs.rmSync(file);
  });
  const counts = countReads();
  const list = () => call(sandbox.account(), "GET", "/_sandbox/scenarios");
  const { body } = await list();
  const first = { ...counts };
  expect(first.most).toBe(1);
  expect((await list()).body).toEqual(body);
  // The folder of the tester and its two files.
  expect(counts).toEqual({ most: 1, files: first.files + 2, folders: first.folders + 1 });
});

test("a file of the tester's folder is read again for each list, and wins over a built-in one", async () => {
  const file = join(scenarios, "phone-lockout.yaml");
  onTestFinished(() => fs.rmSync(file));
  const list = async () => {
    const { body } = await call(sandbox.account(), "GET", "/_sandbox/scenarios");
    return body.items.filter(({ name }: { name: string }) => name === "phone-lockout");
  };
  for (const title of ["One of mine", "Another of mine"]) {
    fs.writeFileSync(file, `name: ${title}\n`);
    expect(await list()).toEqual([
      { name: "phone-lockout", title, description: null, steps: 0, error: null },
    ]);
  }
  fs.writeFileSync(file, "nam: x\n");
  expect(await list()).toMatchObject([{ title: "phone-lockout", error: expect.stringContaining("nam") }]);
});
