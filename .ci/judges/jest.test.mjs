/** The package in projects that are tested with Jest. Its two versions are too heavy to be installed with the project. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pack, projectWith } from "./package.mjs";

const tarball = pack();
const project = () => projectWith(tarball, ["jest", "jest-environment-node"]);

/** Runs a command with only PATH and HOME of the environment, so that it cannot know that a test runs it. */
function run([command, ...args], cwd, env = {}) {
  const { PATH, HOME } = process.env;
  return spawnSync(command, args, { cwd, env: { PATH, HOME, NO_COLOR: "1", ...env }, encoding: "utf8" });
}

/** Runs Jest 30 by its library: its program has the same name as that of Jest 29. */
const jest30 = `
  require(${JSON.stringify(fileURLToPath(import.meta.resolve("jest-core-30")))})
    .runCLI({ _: [], $0: "jest", ci: true }, [process.cwd()])
    .then(({ results }) => process.exit(results.success ? 0 : 1));`;

for (const [version, command] of [
  ["Jest 29", ["npx", "jest"]],
  ["Jest 30", ["node", "--eval", jest30]],
])
  test(`in ${version}, a sandbox inside the test's own module system answers under fake timers, which advance with the account`, () => {
    const folder = project();
    writeFileSync(join(folder, "package.json"), '{ "type": "module", "jest": { "transform": {} } }');
    writeFileSync(
      join(folder, "shop.test.js"),
      `import { startSandbox } from "standin";
    const { jest } = import.meta;

    async function play(sandbox, fake = false) {
      const account = sandbox.account();
      const { status } = await account.fetch("/v1/phone/verify/start", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ phone: "08031234567" }),
      });
      await account.inbox.wait({ to: "+2348031234567" });
      await account.advance("10m", fake ? { timers: jest } : {});
      return status;
    }

    test("a call", async () => {
      const sandbox = await startSandbox();
      jest.useFakeTimers();
      let isRung = false;
      setTimeout(() => (isRung = true), 600_000);
      expect(await play(sandbox, true)).toBe(201);
      expect(isRung).toBe(true);
      jest.useRealTimers();
      expect(await play(sandbox)).toBe(201);
      await sandbox.close();
    });\n`,
    );
    const { status, stderr } = run(command, folder, { NODE_OPTIONS: "--experimental-vm-modules" });
    assert.match(stderr, /Tests: +1 passed, 1 total/);
    assert.equal(status, 0);
  });

test("npm test passes in examples/jest", () => {
  const folder = project();
  cpSync(join(folder, "node_modules/standin/examples/jest"), folder, { recursive: true });
  const { status, stdout, stderr } = run(["npm", "test"], folder);
  assert.match(stdout + stderr, /Tests: +4 passed, 4 total/);
  assert.match(stdout, /Coverage of the service: operations 6 of \d+[\s\S]*\n {2}createPayout: failed/);
  assert.equal(status, 0);
});

test("standin init in a project with Jest writes tests that pass", () => {
  const folder = project();
  const own = { name: "shop", version: "1.0.0", devDependencies: { jest: "^29.7.0" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(own));
  assert.match(run(["npx", "standin", "init"], folder).stdout, /an npm project with Jest/);
  const { status, stdout, stderr } = run(["npm", "test"], folder);
  assert.match(stdout + stderr, /Tests: +4 passed, 4 total/);
  assert.equal(status, 0);
});
