import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { docxToPdf } from "../../../src/tools/docx-to-pdf/convert.js";
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

/** A LibreOffice that keeps what it was given and does as it is told. */
async function fake(body: string, name = "soffice"): Promise<void> {
  const script = `#!${process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
const input = args.at(-1);
const output = input.replace(/docx$/, "pdf");
const profile = new URL(args.find((one) => one.startsWith("-env:UserInstallation=")).slice(22));
const seen = { args, cwd: process.cwd(), input: fs.readFileSync(input, "base64"), settings: fs.readFileSync(new URL(profile + "/user/registrymodifications.xcu"), "utf8") };
fs.writeFileSync(${JSON.stringify(bin)} + "/called.json", JSON.stringify(seen));
${body}
`;
  await writeFile(join(bin, name), script);
  await chmod(join(bin, name), 0o755);
}

interface Called {
  args: string[];
  cwd: string;
  input: string;
  settings: string;
}
const called = async (): Promise<Called> => JSON.parse(await readFile(join(bin, "called.json"), "utf8"));

const auto = { libreoffice: "auto" } as const;
const writing = 'fs.writeFileSync(output, "%PDF-1.7 by LibreOffice");';

it.each(["soffice", "libreoffice"])(
  "lets the %s on PATH convert the file, and leaves nothing behind",
  async (name) => {
    await fake(writing, name);
    expect(Buffer.from(await docxToPdf(docx, auto)).toString()).toBe("%PDF-1.7 by LibreOffice");
    const { input, cwd } = await called();
    expect(input).toBe(Buffer.from(docx).toString("base64"));
    await expect(readdir(cwd)).rejects.toThrow(/ENOENT/);
  },
);

it("runs it without a screen, in a profile of its own in which no macro runs and no link is followed", async () => {
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

it("does not start it when the setting says off", async () => {
  await fake(writing);
  expect(await textOf(await docxToPdf(docx, { libreoffice: "off" }))).toBe("ours");
  expect(await readdir(bin)).not.toContain("called.json");
});

it("does not start it for what is no DOCX", async () => {
  await fake(writing);
  await expect(docxToPdf(Buffer.from("PK, or so it says"), auto)).rejects.toThrow(/zip directory is missing/);
  expect(await readdir(bin)).not.toContain("called.json");
});

it("converts itself where PATH has none", async () => {
  expect(Buffer.compare(await docxToPdf(docx, auto), await convert(docx))).toBe(0);
});

it.each([
  ["fails", "process.exit(1)"],
  ["writes nothing", ""],
  ["writes no PDF", 'fs.writeFileSync(output, "oops");'],
  ["dies", 'process.kill(process.pid, "SIGKILL");'],
])("converts itself when LibreOffice %s", async (_, body) => {
  await fake(body);
  const converted = await docxToPdf(docx, auto);
  expect((await called()).args.length).toBeGreaterThan(8);
  expect(Buffer.compare(converted, await convert(docx))).toBe(0);
});
