/** Converts with the LibreOffice on the PATH, which is more faithful. If it fails, the built-in engine takes over. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { second } from "../../time/time.js";
import { findProgram, runProgram, withTempFolder } from "../external-program.js";

const programNames = ["soffice", "libreoffice"];

/** Leaves time for the built-in engine. */
const timeoutMs = 40 * second;
const maxPdfBytes = 200 * 1024 * 1024;

const profileItem = (path: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/** A profile, one per file, that disables macros, links and remote content. */
const profile = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${profileItem("Office.Common/Security/Scripting", "MacroSecurityLevel", "3")}
${profileItem("Office.Common/Security/Scripting", "DisableMacrosExecution", "true")}
${profileItem("Office.Common/Security/Scripting", "DisableActiveContent", "true")}
${profileItem("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true")}
${profileItem("Office.Writer/Content/Update", "Link", "0")}
</oor:items>
`;

const argumentsFor = (folder: string): string[] => [
  ...["--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--nofirststartwizard"],
  `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`,
  ...["--convert-to", "pdf:writer_pdf_Export", "--outdir", folder, join(folder, "input.docx")],
];

async function readChecked(path: string): Promise<Uint8Array | null> {
  const { size } = await stat(path);
  if (size > maxPdfBytes) return null;
  const bytes = await readFile(path);
  return bytes.toString("latin1", 0, 5) === "%PDF-" ? bytes : null;
}

/** Returns null if LibreOffice is not installed or fails. */
export async function convertWithLibreOffice(bytes: Uint8Array): Promise<Uint8Array | null> {
  const program = programNames.map(findProgram).find((path) => path !== null);
  if (!program) return null;
  return await withTempFolder(async (folder) => {
    await mkdir(join(folder, "profile", "user"), { recursive: true });
    await writeFile(join(folder, "profile", "user", "registrymodifications.xcu"), profile);
    await writeFile(join(folder, "input.docx"), bytes);
    const hasRun = await runProgram(program, argumentsFor(folder), folder, timeoutMs);
    return hasRun ? await readChecked(join(folder, "input.pdf")) : null;
  }).catch(() => null);
}
