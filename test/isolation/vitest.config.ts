/** Runs as many tests as CUSTOMERS says in as many workers as LANES says, against the sandbox at STANDIN_URL. Each lane runs the same file with its own customers. */
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const lanes = Number(process.env.LANES);

export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../.."),
    testTimeout: 30_000,
    pool: "forks",
    maxWorkers: lanes,
    projects: Array.from({ length: lanes }, (_, lane) => ({
      extends: true,
      test: { name: `lane ${lane}`, include: ["test/isolation/*.spec.ts"], env: { LANE: String(lane) } },
    })),
  },
});
