import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { docxToPdf } from "../../../src/file-tools/docx-to-pdf/convert.js";
import { convert, docxFrom, paragraphXml, textOf } from "./documents.js";

const docx = docxFrom(paragraphXml("ours"));
const path = process.env.PATH;
let bin: string;

beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), "fake-soffice-"));
  process.env.PATH = bin;
});
afterEach(async () => {
  process.env.PATH = path;
  await rm(bin, { recursive: true, force: true });
});

/** Installs a fake LibreOffice, a shell script that records how it was called and then runs `body`. */
async function fake(body: string, name = "soffice"): Promise<void> {
  const script = `#!/bin/sh
for input; do :; done
output="\${input%docx}pdf"
printf '%s\\n' "$@" > "${bin}/arguments"
pwd -P > "${bin}/folder"
/bin/cat "$input" > "${bin}/input"
/bin/cat profile/user/registrymodifications.xcu > "${bin}/settings"
${body}
`;
  await writeFile(join(bin, name), script);
  await chmod(join(bin, name), 0o755);
}

interface Called {
  args: string[];
  cwd: string;
  input: Buffer;
  settings: string;
}
const recorded = (name: string): Promise<string> => readFile(join(bin, name), "utf8");
const called = async (): Promise<Called> => ({
  args: (await recorded("arguments")).trimEnd().split("\n"),
  cwd: (await recorded("folder")).trimEnd(),
  input: await readFile(join(bin, "input")),
  settings: await recorded("settings"),
});

const auto = { libreoffice: "auto" } as const;
const writing = "printf '%s' '%PDF-1.7 by LibreOffice' > \"$output\"";

it.each(["soffice", "libreoffice"])(
  "converts with the %s on the PATH and removes its files",
  async (name) => {
    await fake(writing, name);
    expect(Buffer.from(await docxToPdf(docx, auto)).toString()).toBe("%PDF-1.7 by LibreOffice");
    const { input, cwd } = await called();
    expect(input.equals(docx)).toBe(true);
    await expect(readdir(cwd)).rejects.toThrow(/ENOENT/);
  },
);

it("runs LibreOffice headless, in a profile of its own without macros and links", async () => {
  await fake(writing);
  await docxToPdf(docx, auto);
  const { args, cwd, settings } = await called();
  expect(args).toContain("--headless");
  expect(args).toContain(`-env:UserInstallation=file://${join(cwd, "profile")}`);
  expect(args.slice(-5)).toEqual([
    "--convert-to",
    "pdf:writer_pdf_Export",
    "--outdir",
    cwd,
    join(cwd, "input.docx"),
  ]);
  for (const setting of ["DisableMacrosExecution", "DisableActiveContent", "BlockUntrustedRefererLinks"])
    expect(settings).toContain(`<prop oor:name="${setting}" oor:op="fuse"><value>true</value></prop>`);
  expect(settings).toContain('<prop oor:name="Link" oor:op="fuse"><value>0</value></prop>');
});

it("does not run LibreOffice if the setting is off", async () => {
  await fake(writing);
  expect(await textOf(await docxToPdf(docx, { libreoffice: "off" }))).toBe("ours");
  expect(await readdir(bin)).not.toContain("arguments");
});

it("does not run LibreOffice for a file that is not a DOCX", async () => {
  await fake(writing);
  await expect(docxToPdf(Buffer.from("PK, or so it says"), auto)).rejects.toThrow(/zip directory is missing/);
  expect(await readdir(bin)).not.toContain("arguments");
});

it("converts with the built-in engine without LibreOffice on the PATH", async () => {
  expect(Buffer.compare(await docxToPdf(docx, auto), await convert(docx))).toBe(0);
});

it.each([
  ["fails", "exit 1"],
  ["writes nothing", ""],
  ["does not write a PDF", 'printf oops > "$output"'],
  ["is killed", "kill -9 $$"],
])("converts with the built-in engine if LibreOffice %s", async (_, body) => {
  await fake(body);
  const converted = await docxToPdf(docx, auto);
  expect((await called()).args.length).toBeGreaterThan(8);
  expect(Buffer.compare(converted, await convert(docx))).toBe(0);
});
