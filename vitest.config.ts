import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** The test files that repeat more often in `npm run test:long`, which runs these alone. */
const repeating = (): string[] =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name))
    .filter((file) => readFileSync(file, "utf8").includes("support/repetitions.js"));

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "long" ? repeating() : ["test/**/*.test.ts"],
    env: mode === "long" ? { STANDIN_LONG: "1" } : {},
    globalSetup: ["test/build.ts", "test/support/browser-setup.ts", "test/support/postgres-setup.ts"],
    // Only a test that hangs exceeds these, however busy the machine is.
    testTimeout: mode === "long" ? 1_800_000 : 180_000,
    hookTimeout: 180_000,
    pool: "forks",
    maxWorkers: 2,
    // One module graph per worker: evaluating the source anew for each file costs more than most files' tests.
    isolate: false,
  },
}));
