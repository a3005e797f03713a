#!/usr/bin/env node
// @ts-check
/**
 * Runs the program with V8's code cache, which saves the compilation: half of a cold start. A run without a valid cache
 * writes one when it ends.
 */
const { readFileSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");

const file = join(__dirname, "bundle", "program.cjs");
const cacheFile = join(__dirname, "bundle", "program.cache");

/** @returns {Buffer | undefined} */
function readCache() {
  try {
    return readFileSync(cacheFile);
  } catch {
    return undefined;
  }
}

const cachedData = readCache();
const script = new Script(readFileSync(file, "latin1"), {
  filename: file,
  ...(cachedData ? { cachedData } : {}),
});
if (!cachedData || script.cachedDataRejected) {
  process.once("exit", () => {
    try {
      writeFileSync(cacheFile, script.createCachedData());
    } catch {
      // In a read-only installation, every run compiles the program.
    }
  });
}
const program = { exports: /** @type {{ run(args: readonly string[]): Promise<void> }} */ ({}) };
script.runInThisContext()(program.exports, createRequire(file), program, file, join(__dirname, "bundle"));
void program.exports.run(process.argv.slice(2));
