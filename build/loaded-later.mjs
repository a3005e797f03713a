/** Finds the modules that are loaded later, from the imports of the code: a start neither reads nor compiles them. */
import { basename } from "node:path";

/** @typedef {import("esbuild").Metafile["inputs"]} Inputs */

const isPackage = (/** @type {string} */ path) => path.startsWith("node_modules/");
const packageOf = (/** @type {string} */ path) =>
  /** @type {RegExpExecArray} */ (/^node_modules\/(?:@[^/]+\/)?([^/]+)/.exec(path));

/**
 * Returns the modules that entries load without an `import()`.
 *
 * @param {Inputs} inputs
 * @param {readonly string[]} entries
 */
function loadedAtStart(inputs, entries) {
  /** @type {Set<string>} */
  const loaded = new Set();
  /** @param {string} path */
  const visit = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: next, kind, external } of inputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && !external) visit(next);
  };
  for (const entry of entries) visit(entry);
  return loaded;
}

/**
 * Returns the modules that become separate files, with the names of these files: packages that the code loads with `import()`,
 * and modules that import only packages that no start needs. All other modules are only in the bundle, since a second copy
 * would have its own classes and state.
 *
 * @param {Inputs} inputs modules of the bundle
 * @param {readonly string[]} entries what every start of the program loads
 * @returns {Map<string, string>}
 */
export function loadedLater(inputs, entries) {
  const start = loadedAtStart(inputs, entries);
  const ofStart = new Set([...start].filter(isPackage).map((path) => packageOf(path)[0]));
  /** @type {Map<string, string>} */
  const later = new Map();
  for (const [path, { imports }] of Object.entries(inputs)) {
    if (isPackage(path)) continue;
    for (const { path: imported, kind } of imports)
      if (kind === "dynamic-import" && isPackage(imported) && !start.has(imported))
        later.set(imported, packageOf(imported)[1] ?? "");
    const bundled = imports.filter(({ external }) => !external);
    const isNew = (/** @type {string} */ imported) =>
      isPackage(imported) && !ofStart.has(packageOf(imported)[0]);
    if (!start.has(path) && bundled.length > 0 && bundled.every((one) => isNew(one.path)))
      later.set(path, basename(path, ".ts"));
  }
  const names = [...later.values()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`two files of the bundle would have the name ${twice}.cjs`);
  return later;
}
