/**
 * Licences of the packages that Standin contains or that npm installs with it: docs/licences.md lists them, and each is
 * one that is allowed. After a change of packages, `npx vitest run test/licences.test.ts -u` updates the page.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import lock from "../package-lock.json" with { type: "json" };

interface Licensed {
  name: string;
  licence: string;
}

const permissive = ["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0"];
const fonts = ["MIT AND OFL-1.1", "Bitstream-Vera"];
/** Of two licences the first applies. */
const chosen = ["(MIT OR GPL-3.0-or-later)", "(BSD-3-Clause OR GPL-2.0)", "(MIT AND Zlib)"];
const allowed = new Set([...permissive, ...fonts, ...chosen, "MPL-2.0"]);

/** Licences that are allowed only for certain packages, all of them optional. */
const allowedFor: Readonly<Record<string, RegExp>> = {
  "LGPL-2.1-or-later": /^@martel\/audio-file-decoder$/,
  "LGPL-3.0-or-later": /^@img\/sharp-libvips-.+$/,
  "Apache-2.0 AND LGPL-3.0-or-later": /^@img\/sharp-win32-.+$/,
  "Apache-2.0 AND LGPL-3.0-or-later AND MIT": /^@img\/sharp-wasm32$/,
};

/** Licences according to the packages' licence files, for packages whose package.json names none. */
const readFromFiles: Readonly<Record<string, string>> = {
  "png-js": "MIT",
  "dejavu-fonts-ttf": "Bitstream-Vera",
};

const notices = readFileSync("dist/third-party-licences.txt", "utf8");
const bundled: Licensed[] = [...notices.matchAll(/^# (\S+) \d\S*: (.+)$/gm)].map(
  ([, name = "", licence = ""]) => ({ name, licence }),
);

interface LockEntry {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const entries: Readonly<Record<string, LockEntry>> = lock.packages;

/** Returns the folder in which npm installs the dependency `name` of the package in `path`: next to it, or further up. */
function locate(name: string, path: string): string {
  const candidate = `${path ? `${path}/` : ""}node_modules/${name}`;
  return candidate in entries || path === ""
    ? candidate
    : locate(name, path.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ""));
}

/** Returns the paths of the named packages and all their dependencies, except development dependencies. */
function closure(names: readonly string[], path = "", found = new Set<string>()): Set<string> {
  for (const place of names.map((name) => locate(name, path))) {
    if (found.has(place)) continue;
    found.add(place);
    const { dependencies, optionalDependencies } = entries[place] ?? {};
    closure(Object.keys({ ...dependencies, ...optionalDependencies }), place, found);
  }
  return found;
}

const licensed = (paths: Iterable<string>): Licensed[] =>
  [...paths].map((path) => {
    const name = path.split("node_modules/").at(-1) ?? "";
    return { name, licence: readFromFiles[name] ?? entries[path]?.license ?? "none" };
  });
const optionalPaths = closure(Object.keys(packageJson.optionalDependencies));
const optional = licensed(optionalPaths);

function table(packages: readonly Licensed[]): string {
  const licences = [...new Set(packages.map(({ licence }) => licence))].sort();
  const rows = licences.map((licence) => {
    const names = packages.filter((one) => one.licence === licence).map(({ name }) => name);
    return `| ${licence} | ${[...new Set(names)].sort().join(", ")} |`;
  });
  return ["| licence | packages |", "|---|---|", ...rows].join("\n");
}

const page = `# Licences

Standin is under the MIT licence (\`LICENSE\`). This page lists the packages that it contains or that npm installs with
it, by the licence that each declares. It is written by \`npx vitest run test/licences.test.ts -u\`, and the test fails
when a package with a licence that is not on its list of allowed ones is added.

## Contained

The code of these packages is part of the files in \`dist/\`. Their licence texts are in \`dist/third-party-licences.txt\`. The
decoders of pictures that come with pdfjs-dist (OpenJPEG, JBIG2 of PDFium, QCMS) are in \`dist/pdfjs/\`, with their
licences (Apache-2.0, BSD and MIT) beside them. Four fonts of dejavu-fonts-ttf are in \`dist/fonts/\`.

${table(bundled)}

## Optional

npm installs these with it, unless it is told \`--omit=optional\`. Packages of native code are listed for every platform;
npm installs those of its own.

${table(optional)}

## Copyleft licences

Nothing under a GPL or LGPL licence is contained or always installed, and nothing under a GPL licence is installed by
default. Among the optional packages:

- \`@martel/audio-file-decoder\` (LGPL-2.1-or-later) decodes sound. It has FFmpeg's decoders in WebAssembly, in a file of
  its own that can be replaced.
- libvips (LGPL-3.0-or-later) comes with \`sharp\` as a shared library that can be replaced.
- \`wasm-media-encoders\` (MIT) and \`@mediabunny/aac-encoder\` (MPL-2.0) declare the licence of their own code; their
  WebAssembly has LAME and FFmpeg's AAC encoder in it, which are under the LGPL.

\`@audio/decode-aac\` (GPL-2.0) decodes Apple Lossless where the project has installed it itself. npm never installs it
with Standin.

\`@imgly/background-removal-node\` (AGPL-3.0) is used to remove backgrounds where the project has installed it itself. npm
never installs it with Standin.
`;

test("docs/licences.md lists every package that is contained or installed", async () => {
  await expect(page).toMatchFileSnapshot("../docs/licences.md");
});

test("every package has an allowed licence", () => {
  const refused = [...bundled, ...optional].filter(
    ({ name, licence }) => !allowed.has(licence) && !allowedFor[licence]?.test(name),
  );
  expect(refused).toEqual([]);
});

test("nothing under a copyleft licence is contained or always installed", () => {
  expect(bundled.filter(({ licence }) => /GPL/.test(licence) && !chosen.includes(licence))).toEqual([]);
});

test("docs/architecture.md says what each package of package.json is for", () => {
  const [, section = ""] = readFileSync("docs/architecture.md", "utf8").split("\n## Packages\n");
  const explained = [...section.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)]
    .flatMap(([, names = ""]) => names.split(", "))
    .filter((name) => /^[@a-z]/.test(name) && !/ |^optional$/.test(name));
  const { optionalDependencies, peerDependencies, devDependencies } = packageJson;
  const installed = Object.keys({ ...optionalDependencies, ...peerDependencies, ...devDependencies });
  expect(explained.sort()).toEqual(installed.sort());
});
