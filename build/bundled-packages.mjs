/** The packages whose code is in the files of dist/: their licences, which must be distributed with it, and the SBOM. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";

/** @typedef {{ folder: string; name: string; version: string; license: string }} Package */

/** Packages whose files contain the code of the packages that they depend on. */
const packagesWithDependencies = ["node_modules/docx"];

/**
 * Returns the folders of the packages whose code a package contains.
 *
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function containedIn(folder) {
  const { dependencies = {} } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
  const folders = Object.keys(dependencies)
    .filter((name) => !name.startsWith("@types/"))
    .map((name) => {
      const own = `${folder}/node_modules/${name}`;
      return existsSync(own) ? own : `node_modules/${name}`;
    });
  return [...folders, ...(await Promise.all(folders.map(containedIn))).flat()];
}

/** Licences in the licence files of packages whose package.json names none. */
const readFromFiles = { "dejavu-fonts-ttf": "Bitstream-Vera" };

/**
 * Returns the packages in the outputs of builds and those whose files are copied, by name.
 *
 * @param {readonly import("esbuild").Metafile[]} metafiles
 * @param {readonly string[]} copied
 * @returns {Promise<Package[]>}
 */
export async function bundledPackages(metafiles, copied) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  const bundled = used.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const folders = new Set([...bundled, ...copied]);
  for (const folder of packagesWithDependencies)
    if (folders.has(folder)) for (const contained of await containedIn(folder)) folders.add(contained);
  const packages = await Promise.all(
    [...folders].map(async (folder) => {
      const about = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
      const { name, version, license = about.licenses?.[0]?.type } = about;
      return { folder, name, version, license: readFromFiles[name] ?? license };
    }),
  );
  const byNameAndVersion = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byNameAndVersion].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found);
}

/**
 * Formats the licence texts of the packages.
 *
 * @param {readonly Package[]} packages
 */
export async function formatLicences(packages) {
  const notices = packages.map(async ({ folder, name, version, license }) => {
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
    const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, "utf8")));
    return `${[`# ${name} ${version}: ${license}`, ...texts.map((text) => text.trim())].join("\n\n")}\n`;
  });
  return (await Promise.all(notices)).join("\n\n");
}

/** @param {{ name: string; version: string }} one */
const urlOf = ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** @param {Omit<Package, "folder">} one */
function componentOf({ name, version, license }) {
  const [, group, own = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const url = urlOf({ name, version });
  return {
    "bom-ref": url,
    ...(group ? { group } : {}),
    name: own,
    version,
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl: url,
  };
}

/**
 * Formats the bill of materials (CycloneDX 1.6) of this package.
 *
 * @param {readonly Package[]} packages
 * @param {Omit<Package, "folder">} own
 */
export function formatSbom(packages, own) {
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", ...componentOf(own) } },
    components: packages.map((one) => ({ type: "library", ...componentOf(one), scope: "required" })),
    dependencies: [
      { ref: urlOf(own), dependsOn: packages.map(urlOf) },
      ...packages.map((one) => ({ ref: urlOf(one) })),
    ],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
