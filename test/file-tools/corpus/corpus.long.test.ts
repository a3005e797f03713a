/** Converts documents and sounds that others wrote. Prints how much of them is kept. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import mammoth from "mammoth";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { fetchFiles, hasProgram, tryRun } from "../../support/corpus.js";
import { temporaryFolder } from "../../support/program.js";
import { isLong } from "../../support/repetitions.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { sendToTool } from "../../support/uploads.js";
import { shareKept, wordsOf } from "../../support/words.js";
import { textOf } from "../docx-to-pdf/documents.js";

const sandbox = useListeningSandbox();
const root = temporaryFolder();
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(name: string): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  return path;
}

const peerTimeoutMs = 240_000;
/** Shares of documents with fewer words say little. */
const minWords = 20;

/** pdf.js does not take a Buffer. */
const readBytes = (path: string): Uint8Array => new Uint8Array(readFileSync(path));

interface Converted {
  file: string;
  status: number;
  seconds: number;
  /** The converted file, or the refusal's message. */
  bytes: Uint8Array | null;
  message: string;
}

async function convertAll(files: readonly string[], tool: string, fields: Record<string, string> = {}) {
  const account = sandbox.account();
  const all: Converted[] = [];
  for (const file of files) {
    const start = performance.now();
    const response = await sendToTool(account, tool, readBytes(file), basename(file), { fields });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isDone = response.status === 200;
    const message = isDone ? "" : (JSON.parse(Buffer.from(bytes).toString()).error.message as string);
    const seconds = (performance.now() - start) / 1000;
    all.push({ file, status: response.status, seconds, bytes: isDone ? bytes : null, message });
  }
  return all;
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Words kept of each document with enough words, the worst first. */
type WordsKept = readonly { file: string; share: number }[];

const describeWords = (kept: WordsKept): string =>
  `${percent(mean(kept.map(({ share }) => share)))} of words kept in ${kept.length} documents, ${kept.filter(({ share }) => share >= 0.99).length} of them at least 99 %`;

function report(tool: string, all: readonly Converted[], ...lines: readonly string[]): void {
  const seconds = all.map((one) => one.seconds).sort((a, b) => a - b);
  const sum = seconds.reduce((total, one) => total + one, 0);
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  const done = all.filter(({ bytes }) => bytes).length;
  const time = `${sum.toFixed(0)} s in all, ${(seconds.at(-1) ?? 0).toFixed(1)} s at most`;
  console.info([`${tool}: ${done} of ${all.length} converted, ${time}, ${memory} MB`, ...lines].join("\n  "));
}

function compareWords(pairs: readonly { file: string; wanted: string; found: string }[]): WordsKept {
  return pairs
    .map(({ file, wanted, found }) => ({
      file: basename(file),
      words: wordsOf(wanted),
      found: wordsOf(found),
    }))
    .filter(({ words }) => words.length >= minWords)
    .map(({ file, words, found }) => ({ file, share: shareKept(words, found) }))
    .sort((one, other) => one.share - other.share);
}

const describeWorst = (kept: WordsKept): string[] =>
  kept.filter(({ share }) => share < 0.95).map(({ file, share }) => `${percent(share)} ${file}`);

const rawText = async (docx: Uint8Array): Promise<string> =>
  (await mammoth.extractRawText({ buffer: Buffer.from(docx) })).value;

/** Returns the displayed text of the main part: no deleted or moved text, no fallbacks for older programs, no hidden runs. */
function displayedText(docx: Uint8Array): string {
  const part = unzipSync(docx, { filter: ({ name }) => name === "word/document.xml" })["word/document.xml"];
  return strFromU8(part ?? new Uint8Array())
    .replace(/<w:(del|moveFrom) .*?<\/w:\1>|<mc:Fallback.*?<\/mc:Fallback>/gs, "")
    .replace(/<w:r\b(?:(?!<\/w:r>).)*<w:vanish\/>.*?<\/w:r>/gs, "")
    .replace(/<w:instrText.*?<\/w:instrText>|<w:(?:tab|br|cr|\/p)\b[^>]*>|<\/w:p>/gs, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? "");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text of a PDF, by poppler. */
const pdfText = async (path: string): Promise<string> =>
  (await tryRun("pdftotext", ["-q", "-enc", "UTF-8", path, "-"], peerTimeoutMs)) ?? "";

function filesOf(context: TestContext, { files, missing }: Awaited<ReturnType<typeof fetchFiles>>): string[] {
  if (files.length === 0) context.skip(missing);
  return files;
}

describe.runIf(isLong)("files that others wrote", () => {
  const fetched: Record<"docx" | "pdf" | "audio", Awaited<ReturnType<typeof fetchFiles>>> = {
    docx: { files: [], missing: "" },
    pdf: { files: [], missing: "" },
    audio: { files: [], missing: "" },
  };
  beforeAll(async () => {
    fetched.docx = await fetchFiles(folder("docx"), ["pandoc"], [".docx"]);
    fetched.pdf = await fetchFiles(folder("pdf"), ["pypdf"], [".pdf"]);
    fetched.audio = await fetchFiles(
      folder("audio"),
      ["taglib", "mutagen"],
      [".mp3", ".flac", ".ogg", ".oga", ".m4a", ".wav", ".spx", ".opus"],
    );
  }, 600_000);

  it("keep at least 99 % of their words from DOCX to PDF", async (context) => {
    const all = await convertAll(filesOf(context, fetched.docx), "docx-to-pdf");
    const pairs = [];
    for (const { file, bytes } of all)
      if (bytes) {
        pairs.push({ file, wanted: displayedText(readBytes(file)), found: await textOf(bytes) });
      }
    const kept = compareWords(pairs);
    report("DOCX to PDF", all, describeWords(kept), ...describeWorst(kept));
    expect(all.filter(({ status }) => status >= 500)).toEqual([]);
    expect(mean(kept.map(({ share }) => share))).toBeGreaterThanOrEqual(0.99);
  });

  it("keep at least 98 % of their words from PDF to DOCX", async (context) => {
    // pdf.js reads the documents for the conversion, and cannot judge it.
    if (!hasProgram("pdftotext")) context.skip("poppler (pdftotext) is not installed");
    const all = await convertAll(filesOf(context, fetched.pdf), "pdf-to-docx");
    const pairs = [];
    for (const { file, bytes } of all)
      if (bytes) pairs.push({ file, wanted: await pdfText(file), found: await rawText(bytes) });
    const kept = compareWords(pairs);
    report("PDF to DOCX", all, `${describeWords(kept)}, as poppler reads them`, ...describeWorst(kept));
    expect(all.filter(({ status }) => status >= 500)).toEqual([]);
    expect(mean(kept.map(({ share }) => share))).toBeGreaterThanOrEqual(0.98);
  });

  it("are refused as sound only if they are damaged or no engine has their codec", async (context) => {
    const all = await convertAll(filesOf(context, fetched.audio), "audio-convert", { target_format: "wav" });
    const refused = all.filter(({ bytes }) => !bytes);
    const decoded: string[] = [];
    for (const { file, message } of hasProgram("ffmpeg") ? refused : [])
      if (!/cut off|no built-in decoder/.test(message) && (await ffmpegDecodes(file)))
        decoded.push(`${basename(file)}: ${message}`);
    report(
      "Audio",
      all,
      hasProgram("ffmpeg") ? `${decoded.length} refused that ffmpeg decodes` : "ffmpeg is not installed",
    );
    expect(all.filter(({ status }) => status >= 500)).toEqual([]);
    expect(decoded).toEqual([]);
  });
});

/** A shorter sound, in bytes of 16-bit samples, is what a decoder makes of damage. */
const minDecodedBytes = 10_000;

async function ffmpegDecodes(file: string): Promise<boolean> {
  const input = ["-hide_banner", "-nostdin", "-v", "error", "-xerror", "-i", file];
  const output = ["-map", "0:a:0", "-f", "s16le", "-"];
  return ((await tryRun("ffmpeg", [...input, ...output], 30_000)) ?? "").length > minDecodedBytes;
}
