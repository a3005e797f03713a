#!/usr/bin/env node
// @ts-check
/**
 * Loads the bundle with V8's code cache, which saves the compilation: half of a cold start. Runs the program, which writes a
 * cache when it ends if it found no valid one; exports the parts of the bundle to modules that require it.
 */
const { readFileSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { runInThisContext, Script } = require("node:vm");

/** @typedef {typeof import("../../build/bundle.cjs")} Bundle */

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

/** @param {Script} script */
function writeCache(script) {
  try {
    writeFileSync(cacheFile, script.createCachedData());
  } catch {
    // In a read-only installation, every run compiles the program.
  }
}

/**
 * Loads the bundle as a module that other files of it can require.
 *
 * @returns {{ bundle: Bundle; saveCache: (() => void) | null }}
 */
function loadScript() {
  const cachedData = readCache();
  const script = new Script(readFileSync(file, "latin1"), {
    filename: file,
    ...(cachedData ? { cachedData } : {}),
  });
  const module = new Module(file);
  require.cache[file] = module;
  module.filename = file;
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, dirname(file));
  module.loaded = true;
  const isCached = cachedData && !script.cachedDataRejected;
  return { bundle: module.exports, saveCache: isCached ? null : () => writeCache(script) };
}

if (require.main === module) {
  const { bundle, saveCache } = loadScript();
  if (saveCache) process.once("exit", saveCache);
  void bundle.program().run(process.argv.slice(2));
} else {
  // Jest gives each test file its own context, in which objects of a script in the main context would not be equal.
  const isMainContext = runInThisContext("globalThis") === globalThis;
  module.exports = isMainContext ? loadScript().bundle : require(file);
}
