/** The faithful path: a LibreOffice on PATH, each file in a profile of its own. Where it fails, the built-in engine decides. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { second } from "../../world/time/time.js";
import { findProgram, runProgram, withTempFolder } from "../external-program.js";

const names = ["soffice", "libreoffice"];

/** Leaves the built-in engine time to take over. */
const longestRun = 40 * second;
const mostBytes = 200 * 1024 * 1024;

const item = (path: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/** No macro runs, no link is followed, nothing is fetched. */
const profile = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${item("Office.Common/Security/Scripting", "MacroSecurityLevel", "3")}
${item("Office.Common/Security/Scripting", "DisableMacrosExecution", "true")}
${item("Office.Common/Security/Scripting", "DisableActiveContent", "true")}
${item("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true")}
${item("Office.Writer/Content/Update", "Link", "0")}
</oor:items>
`;

const argumentsFor = (folder: string): string[] => [
  ...["--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--nofirststartwizard"],
  `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`,
  ...["--convert-to", "pdf:writer_pdf_Export", "--outdir", folder, join(folder, "input.docx")],
];

async function checked(path: string): Promise<Uint8Array | null> {
  const { size } = await stat(path);
  if (size > mostBytes) return null;
  const bytes = await readFile(path);
  return bytes.toString("latin1", 0, 5) === "%PDF-" ? bytes : null;
}

/** Null: there is no LibreOffice, or it failed. */
export async function convertWithLibreOffice(bytes: Uint8Array): Promise<Uint8Array | null> {
  const program = names.map(findProgram).find((path) => path !== null);
  if (!program) return null;
  return await withTempFolder(async (folder) => {
    await mkdir(join(folder, "profile", "user"), { recursive: true });
    await writeFile(join(folder, "profile", "user", "registrymodifications.xcu"), profile);
    await writeFile(join(folder, "input.docx"), bytes);
    const hasRun = await runProgram(program, argumentsFor(folder), folder, longestRun);
    return hasRun ? await checked(join(folder, "input.pdf")) : null;
  }).catch(() => null);
}
