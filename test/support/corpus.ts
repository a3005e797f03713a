/** Documents and sounds that others wrote: the test files in source packages of Debian, fetched with apt-get. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Returns whether a program is on the PATH. */
export const hasProgram = (name: string): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));

/** Runs a program with a time limit. Returns its output, or null if it fails. */
export async function tryRun(
  program: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string | null> {
  try {
    const { stdout } = await run(program, args, { timeout: timeoutMs, maxBuffer: 256 * 1024 * 1024 });
    return stdout;
  } catch {
    return null;
  }
}

const systemFolder = "/etc/apt";
const updateTimeoutMs = 120_000;
const downloadTimeoutMs = 60_000;

/** Returns the machine's package sources, as sources of source packages. */
function sourceLists(): Record<string, string> {
  const parts = join(systemFolder, "sources.list.d");
  const paths = [
    join(systemFolder, "sources.list"),
    ...(existsSync(parts) ? readdirSync(parts).map((name) => join(parts, name)) : []),
  ].filter((path) => /\.(list|sources)$/.test(path) && existsSync(path));
  return Object.fromEntries(
    paths.map((path, at) => [
      `${at}${path.slice(path.lastIndexOf("."))}`,
      readFileSync(path, "utf8")
        .replace(/^deb\s/gm, "deb-src ")
        .replace(/^Types:.*/gm, "Types: deb-src"),
    ]),
  );
}

/** Writes a configuration of apt-get that touches nothing but the folder. */
function writeConfiguration(folder: string): string {
  for (const name of ["parts", "lists/partial", "cache/archives/partial"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(sourceLists())) writeFileSync(join(folder, "parts", name), text);
  const settings = {
    "Dir::Etc::sourcelist": "/dev/null",
    "Dir::Etc::sourceparts": join(folder, "parts"),
    "Dir::State::lists": join(folder, "lists"),
    "Dir::Cache": join(folder, "cache"),
    "Acquire::Retries": "1",
  };
  const path = join(folder, "apt.conf");
  writeFileSync(
    path,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(""),
  );
  return path;
}

/** Unpacks the files with one of the endings from the packages. Returns their paths, or the reason why there are none. */
export async function fetchFiles(
  folder: string,
  packages: readonly string[],
  endings: readonly string[],
): Promise<{ files: string[]; missing: string }> {
  if (!hasProgram("apt-get")) return { files: [], missing: "apt-get is not installed" };
  const configuration = writeConfiguration(folder);
  const env = ["-c", configuration, "-qq"];
  if ((await tryRun("apt-get", [...env, "update"], updateTimeoutMs)) === null)
    return { files: [], missing: "apt-get cannot reach its package sources" };
  const files: string[] = [];
  for (const name of packages) {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const command = `cd '${own}' && apt-get ${env.join(" ")} source --download-only --only-source ${name} && tar -xf ${name}_*.orig.tar.*`;
    if ((await tryRun("sh", ["-c", command], downloadTimeoutMs)) === null) continue;
    const all = readdirSync(own, { recursive: true, encoding: "utf8" });
    files.push(
      ...all.filter((file) => endings.some((ending) => file.endsWith(ending))).map((file) => join(own, file)),
    );
  }
  return { files: files.sort(), missing: `none of ${packages.join(", ")} can be fetched` };
}
