import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { builtPackage, isOnBuiltPackage } from "./test/support/built-package.js";

/** Returns the test files that use the sandbox of the tests, which runs on each store. */
const sandboxTests = (): string[] =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name))
    .filter((file) => /\buse(Listening)?Sandbox\(/.test(readFileSync(file, "utf8")));

/** Tests that repeat, or that play long journeys. */
const longTests = "test/**/*.long.test.ts";

/** Tests over HTTP of every section that keeps state, which show that what is above the store does not know it. */
const postgresSmoke = [
  "service/phone/verification",
  "service/channels/channels",
  "service/identity/outcomes",
  "service/business/payouts",
  "service/business/refunds",
  "service/audits/states",
  "service/media/video",
  "webhooks/delivery",
  "rules/rules",
  "control/records",
].map((name) => `test/${name}.test.ts`);

/** Runs the file first whose test waits for a minute. Otherwise the other workers would wait for it at the end. */
class PatienceFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isPatient = ({ moduleId }: TestSpecification) => moduleId.endsWith("/exam/patience.test.ts");
    return [...sorted.filter(isPatient), ...sorted.filter((file) => !isPatient(file))];
  }
}

/** Only a test that hangs exceeds these limits, however busy the machine is. */
const shared = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // One module graph per worker: evaluating the source anew for each file costs more than most files' tests.
  isolate: false,
  // Node loads the built files itself, as it does for users.
  server: { deps: { external: [/\/dist\//] } },
};
const plugins = isOnBuiltPackage ? [builtPackage()] : [];

const onPostgres = { ...shared, name: "postgres", env: { STANDIN_TEST_STORE: "postgres" } };

/** Projects of the modes other than that of `npm test`. */
const projects: Readonly<Record<string, object[]>> = {
  /** `npm run test:share`: the long tests with few repetitions and fixed seeds, and PostgreSQL below some behaviour. */
  share: [
    { ...shared, name: "share", include: [longTests] },
    { ...onPostgres, include: postgresSmoke },
  ],
  /** `npm run test:long`: the long tests with all repetitions, and PostgreSQL below all behaviour. */
  long: [
    {
      ...shared,
      name: "repetitions",
      include: [longTests],
      env: { STANDIN_LONG: "1" },
      testTimeout: 1_800_000,
    },
    { ...onPostgres, include: sandboxTests() },
  ],
};

export default defineConfig(({ mode }) => ({
  plugins,
  test: {
    ...shared,
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, longTests],
    ...(mode in projects ? { projects: projects[mode]?.map((test) => ({ plugins, test })) } : {}),
    globalSetup: ["test/build.ts", "test/support/browser-setup.ts", "test/support/postgres-setup.ts"],
    reporters: ["default", "./test/support/standing-tests.ts"],
    pool: "forks",
    // Twice the two cores that the figures are for: most of a worker's time is waiting for programs, browsers and leases.
    maxWorkers: 4,
    sequence: { sequencer: PatienceFirst },
  },
}));
