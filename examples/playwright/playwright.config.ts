import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  // Every test has its own account of the service and its own shop, so that all of them run in parallel.
  fullyParallel: true,
  workers: 4,
  reporter: "list",
});
