/**
 * Throws if a module of src is in two of the files that one process loads.
 *
 * @param {readonly { metafile: import("esbuild").Metafile }[]} builds
 */
export function requireSingleCopies(builds) {
  /** @type {Map<string, string>} */
  const fileOf = new Map();
  for (const [file, { inputs }] of builds.flatMap(({ metafile }) => Object.entries(metafile.outputs)))
    for (const [module, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput === 0 || !module.startsWith("src/")) continue;
      const other = fileOf.get(module);
      if (other)
        throw new Error(`${module} is in ${other} and in ${file}: one process would have two copies of it`);
      fileOf.set(module, file);
    }
}
