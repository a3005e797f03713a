/** The recipe of an npm project: Vitest, or Jest or Playwright where the project has it. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseJsonFile, readTextFile } from "../../contract/read-file.js";
import type { InitPlan, PlannedFile } from "./plan.js";
import { ciFiles, type RecipeFile, recipeFile, recipeFiles } from "./recipes.js";
import { isShared, readStandinSource, type StandinSource } from "./source.js";

type Members = Record<string, unknown>;

const runners: Readonly<Record<string, string>> = { jest: "jest", "@playwright/test": "playwright" };

/** Configuration files of the project. Where one exists, the recipe's is not written. */
const configs: Readonly<Record<string, RegExp>> = {
  vitest: /^vite(?:st)?\.config\./,
  playwright: /^playwright\.config\./,
};

/** Returns whether the runner loads the file with Node, which takes .js and .ts for CommonJS by default. */
const needsModules = (recipe: string, path: string): boolean =>
  recipe === "playwright" || configs.vitest?.test(path) === true;

/** Returns the file under a name that Node takes for an ES module in every project. */
const toModule = ({ path, text, ...file }: RecipeFile): RecipeFile => ({
  ...file,
  path: path.replace(/\.([jt]s)$/, ".m$1"),
  text: text.replace(/"(\.\/[\w-]+)\.js"/g, '"$1.mjs"'),
});

/** Text that the configuration of each runner contains once it runs the recipe. */
const ready: Readonly<Record<string, RegExp>> = {
  vitest: /globalSetup.*sandbox\.m?ts/s,
  playwright: /testDir: "\."/,
};

/** Playwright's package has no browser. */
const installsBrowser = "npx --no-install playwright install chromium";

/** Script that `npm init` writes in place of a test. */
const placeholder = /no test specified/;

export async function planNpm(folder: string): Promise<InitPlan> {
  const text = await readTextFile(join(folder, "package.json"), "package.json");
  const own = parseJsonFile(text, "package.json") as Members;
  const scripts = (own.scripts ?? {}) as Record<string, string>;
  const installed = { ...(own.dependencies as Members), ...(own.devDependencies as Members) };
  const recipe = Object.entries(runners).find(([name]) => name in installed)?.[1] ?? "vitest";
  const config = (await readdir(folder)).find((name) => configs[recipe]?.test(name));
  const isUnready = config !== undefined && !ready[recipe]?.test(await readTextFile(join(folder, config)));
  const { standin } = installed;
  const source = typeof standin === "string" && isShared(standin, folder) ? null : await readStandinSource();
  const files = (await recipeFiles(recipe)).filter(({ path }) => !(config && configs[recipe]?.test(path)));
  const added = merged(own, JSON.parse(await recipeFile(recipe, "package.json")), source);
  const change: PlannedFile = {
    path: "package.json",
    text: `${JSON.stringify(added, null, /^[ \t]+/m.exec(text)?.[0] ?? 2)}\n`,
    isAddition: true,
  };
  return {
    project: `an npm project with ${recipe[0]?.toUpperCase()}${recipe.slice(1)}`,
    files: [
      change,
      ...(source?.files ?? []),
      ...files.map((file) =>
        own.type !== "module" && needsModules(recipe, file.path) ? toModule(file) : file,
      ),
      ...(await ciFiles({
        test: "npm test",
        hasReceiver: "start" in scripts,
        afterInstall: recipe === "playwright" ? [{ run: `${installsBrowser} --with-deps` }] : [],
      })),
    ],
    next: [
      ...(isUnready && recipe === "vitest" ? [`add globalSetup: ["sandbox.ts"] to test in ${config}`] : []),
      ...(isUnready && recipe === "playwright" ? [`let testDir in ${config} contain shop.spec`] : []),
      "npm install",
      ...(recipe === "playwright" ? [installsBrowser] : []),
      "npm run test:standin",
    ],
  };
}

/** Adds what the recipe needs. What the project has stays as it is. */
function merged(own: Members, recipe: Members, source: StandinSource | null): Members {
  const { test, ...scripts } = (own.scripts ?? {}) as Record<string, string>;
  const kept = test === undefined || placeholder.test(test) ? scripts : { test, ...scripts };
  const more = {
    ...(recipe.jest && !own.jest ? { jest: recipe.jest } : {}),
    scripts: { test: (recipe.scripts as Members).test, ...kept, "test:standin": "standin exec -- npm test" },
    devDependencies: {
      ...(recipe.devDependencies as Members),
      ...(own.devDependencies as Members),
    },
  };
  const all: Members = { ...own, ...more };
  if (source === null) return all;
  const spec = source.spec.replace(/^\.\//, "file:");
  const field = "standin" in ((own.dependencies ?? {}) as Members) ? "dependencies" : "devDependencies";
  return { ...all, [field]: { ...(all[field] as Members), standin: spec } };
}
