/** Preloaded into a server with --expose-gc: on SIGUSR2 it collects garbage and writes the heap in use, in bytes, to a file. */
const { renameSync, writeFileSync } = require("node:fs");

const file = process.env.HEAP_FILE;

process.on("SIGUSR2", () => {
  global.gc();
  writeFileSync(`${file}.part`, String(process.memoryUsage().heapUsed));
  renameSync(`${file}.part`, file);
});
