/** Runs Redocly's command line from the project's folder. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { root } from "./package.mjs";

const program = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));

export const redocly = (...args) =>
  spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64e6,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
