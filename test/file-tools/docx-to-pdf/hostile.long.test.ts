import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { UnreadableFileError } from "../../../src/file-tools/engine.js";
import { freshFolder, startOn } from "../../support/folder.js";
import { file } from "../../support/forms.js";
import { hasPeaks, peakMB } from "../../support/memory.js";
import { repetitions, shareOf } from "../../support/repetitions.js";
import { upload } from "../../support/uploads.js";
import {
  bodyXml,
  convert,
  docxFrom,
  docxOf,
  line,
  paragraphXml,
  partsOf,
  partXml,
  readPages,
  relation,
  textOf,
} from "./documents.js";

async function refusal(docx: Uint8Array): Promise<string> {
  const error: unknown = await convert(docx).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnreadableFileError);
  const { message } = error as UnreadableFileError;
  expect(message).not.toMatch(/\.$/);
  expect(message.length).toBeLessThan(200);
  return message;
}

const zipOf = (paths: readonly string[]): Uint8Array =>
  zipSync(Object.fromEntries(paths.map((path) => [path, strToU8("<x/>")])));

const ole = (content: string): Uint8Array =>
  Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(504), Buffer.from(content, "utf16le")]);

describe("a file that is not a DOCX", () => {
  it.each([
    ["nothing", new Uint8Array(), "the file is empty; send a DOCX"],
    ["text", Buffer.from("Dear Sir or Madam"), "the file is not a zip archive, so not a DOCX"],
    ["a PDF", Buffer.from("%PDF-1.7\n"), "the file is a PDF, not a DOCX"],
    ["RTF", Buffer.from("{\\rtf1 Dear}"), "the file is RTF, not a DOCX; save it as .docx"],
    [
      "an old Word file",
      ole("WordDocument"),
      "the file is an old binary Office file such as .doc; save it as .docx",
    ],
    ["a protected file", ole("EncryptedPackage"), "the file is protected by a password; save it without one"],
    [
      "a spreadsheet",
      zipOf(["_rels/.rels", "xl/workbook.xml"]),
      "the file is a spreadsheet (XLSX), not a DOCX",
    ],
    [
      "slides",
      zipOf(["_rels/.rels", "ppt/presentation.xml"]),
      "the file is a presentation (PPTX), not a DOCX",
    ],
    [
      "an ODT",
      zipOf(["mimetype", "content.xml"]),
      "the file is an OpenDocument file (ODT, ODS …); save it as .docx",
    ],
    ["any zip", zipOf(["a.txt"]), "the file is a zip archive but not a DOCX: it has no document part"],
    [
      "a zip of another root",
      zipSync({ ...partsOf(""), "word/document.xml": strToU8("<w:styles xmlns:w='x'/>") }),
      "the file is not a DOCX: its main part is not a Word document",
    ],
  ])("is refused by name: %s", async (_, bytes, message) => {
    expect(await refusal(bytes)).toBe(message);
  });

  it("is refused by name: a zip with a password", async () => {
    const bytes = Buffer.from(docxFrom(paragraphXml("secret")));
    bytes.writeUInt16LE(bytes.readUInt16LE(6) | 1, 6);
    expect(await refusal(bytes)).toBe("the file is protected by a password; send it without one");
  });
});

describe("a damaged DOCX", () => {
  it.each([0.1, 0.5, 0.9, 0.99])("is refused if it is cut off at %f of its length", async (share) => {
    const whole = await docxOf([line("text")]);
    const cut = whole.slice(0, Math.floor(whole.length * share));
    expect(await refusal(cut)).toBe(
      "the file is cut off or damaged: its zip directory is missing; send the whole DOCX",
    );
  });

  it("is refused with the name of the part if its XML is cut off", async () => {
    const parts = { "word/document.xml": bodyXml(paragraphXml("text")).slice(0, -30) };
    expect(await refusal(docxFrom("", "", parts))).toBe(
      "the file is damaged: word/document.xml is not well-formed XML",
    );
  });

  it("is refused with the abbreviated name of the part if its document is missing", async () => {
    const parts = partsOf("", "", {
      "_rels/.rels": `<Relationships>${relation("r", "officeDocument", `word/${"x".repeat(5_000)}.xml`)}</Relationships>`,
    });
    expect(await refusal(zipSync(parts))).toMatch(
      /^the file is not a complete DOCX: its document part \(word\/x+\) is missing$/,
    );
  });

  it("is either converted or refused, whichever bit is flipped", async () => {
    const whole = docxFrom(
      `${paragraphXml("one")}<w:tbl><w:tr><w:tc>${paragraphXml("two")}</w:tc></w:tr></w:tbl>`,
    );
    const positions = Array.from({ length: Math.ceil(whole.length / 7) }, (_, at) => at * 7);
    for (const at of shareOf(positions, 4, 0)) {
      const flipped = whole.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      const done = await convert(flipped).catch((error: unknown) => error);
      if (done instanceof Error) expect(done, `byte ${at}`).toBeInstanceOf(UnreadableFileError);
    }
  });
});

describe("a decompression bomb", () => {
  const tooLarge =
    "the file unpacks to more than 200 MB or has too high a compression ratio for a document; send a smaller one";

  /** Changes the declared size of parts with a given size. */
  const declaring = (docx: Uint8Array, actual: number, declared: number): Buffer => {
    const bytes = Buffer.from(docx);
    for (let at = bytes.indexOf("PK\x01\x02"); at >= 0; at = bytes.indexOf("PK\x01\x02", at + 4))
      if (bytes.readUInt32LE(at + 24) === actual) bytes.writeUInt32LE(declared, at + 24);
    return bytes;
  };
  const unpackedBytes = 120_000_000;

  /** Returns a DOCX whose document is spaces, which deflate packs by a factor of a thousand. */
  function packSpaces(): Buffer {
    const piece = deflateRawSync(Buffer.alloc(1_000_000, 32), { finishFlush: constants.Z_FULL_FLUSH });
    const repeated = (times: number): Buffer =>
      Buffer.concat([...Array.from({ length: times }, () => piece), deflateRawSync(Buffer.alloc(0))]);
    expect(inflateRawSync(repeated(3))).toHaveLength(3_000_000);
    const packed = repeated(unpackedBytes / 1_000_000);
    const docx = zipSync({ ...partsOf(""), "word/document.xml": [packed, { level: 0 }] });
    const bytes = declaring(docx, packed.length, unpackedBytes);
    // Declares the stored part as deflated, at 10 bytes into its entry of the directory.
    const entry = bytes.lastIndexOf("word/document.xml") - 46;
    bytes.writeUInt16LE(8, entry + 10);
    return bytes;
  }

  it("is refused before it is unpacked, and while it is unpacked if it declares a small size", async () => {
    const program = await startOn(freshFolder());
    const account = program.account("svc_test_bombs");
    const send = (docx: Uint8Array) =>
      upload(account, [file("file", docx, "a.docx")], "/v1/tools/docx-to-pdf");
    expect((await send(docxFrom(paragraphXml("one")))).status).toBe(200);
    const before = peakMB(program);
    const packedTight = packSpaces();
    expect((await send(packedTight)).body.error.message).toContain(tooLarge);
    expect((await send(declaring(packedTight, unpackedBytes, 1_000))).body.error.message).toContain(
      "the file is damaged: word/document.xml cannot be unpacked",
    );
    if (hasPeaks) expect(peakMB(program) - before).toBeLessThan(80);
  });

  it("is refused if it declares 300 MB", async () => {
    const bomb = docxFrom("", "", { "word/media/i.bin": new Uint8Array(1_000) });
    expect(await refusal(declaring(bomb, 1_000, 300_000_000))).toBe(tooLarge);
  });

  it("is refused for too many entries", async () => {
    const entries = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`${at}`, new Uint8Array()]));
    expect(await refusal(zipSync(entries))).toBe("the file contains more than 2000 entries");
  });

  it("does not expand entities", async () => {
    const lol = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join(
      "",
    );
    const declared = `<!DOCTYPE x [<!ENTITY l0 "ha">${lol}<!ENTITY file SYSTEM "file:///etc/hostname">]>`;
    const xml = bodyXml(paragraphXml("[&l9;&file;&amp;&#233;]")).replace("?>", `?>${declared}`);
    expect(await textOf(await convert(docxFrom("", "", { "word/document.xml": xml })))).toBe(
      "[&l9;&file;&é]",
    );
  });

  it("is refused for deeply nested elements", async () => {
    const deep = `${"<w:sdt>".repeat(50_000)}${"</w:sdt>".repeat(50_000)}`;
    expect(await refusal(docxFrom(deep))).toBe("word/document.xml is nested deeper than 300 elements");
  });

  it("is refused for too many elements", async () => {
    expect(await refusal(docxFrom("<p/>".repeat(1_000_000)))).toBe(
      "word/document.xml has more than 1000000 elements; send the document in smaller parts",
    );
  });

  it("is refused for too many pages", async () => {
    const breaks = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(2_001);
    expect(await refusal(docxFrom(breaks))).toBe("the document has more than 2000 pages");
  });

  it("is refused for too many letters", async () => {
    const parts = partsOf(paragraphXml("a b".repeat(2_000_001)));
    // Padding keeps the compression ratio low.
    const pad = new Uint8Array(200_000);
    const docx = zipSync({ ...parts, "pad.bin": [pad, { level: 0 }] });
    expect(docx.length - pad.length).toBeLessThan(100_000);
    expect(await refusal(docx)).toMatch(/^the document has more than 6000000 letters/);
  });
});

describe("an unusual document", () => {
  it("keeps its text whatever sizes and numbers it declares", async () => {
    const body = [
      '<w:p><w:pPr><w:ind w:left="99999" w:hanging="-99999"/><w:spacing w:before="31680" w:line="1"/></w:pPr><w:r><w:rPr><w:sz w:val="3200"/></w:rPr><w:t>Big</w:t></w:r></w:p>',
      '<w:p><w:pPr><w:pStyle w:val="a"/><w:numPr><w:ilvl w:val="99"/><w:numId w:val="-1"/></w:numPr></w:pPr><w:r><w:t>Lost</w:t></w:r></w:p>',
      `<w:tbl><w:tr>${`<w:tc><w:tcPr><w:gridSpan w:val="99999999"/><w:vMerge/></w:tcPr>${paragraphXml("Cell")}</w:tc>`.repeat(3)}</w:tr><w:tr/></w:tbl>`,
      '<w:sectPr><w:pgSz w:w="10" w:h="999999999"/><w:pgMar w:top="9999" w:left="9999" w:right="9999" w:bottom="9999"/></w:sectPr>',
    ].join("");
    const circle = (id: string, on: string): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:basedOn w:val="${on}"/></w:style>`;
    const parts = { "word/styles.xml": partXml("styles", circle("a", "b") + circle("b", "a")) };
    const pdf = await convert(docxFrom(body, relation("s", "styles", "styles.xml"), parts));
    const pages = await readPages(pdf);
    expect(
      pages
        .map(({ text }) => text)
        .join("")
        .replace(/\s/g, ""),
    ).toMatch(/^BigLostCell/);
    for (const { width, height } of pages) expect(Math.max(width, height)).toBeLessThanOrEqual(2_000);
  });

  it("keeps the text of deeply nested tables", async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? paragraphXml("core")
        : `<w:tbl><w:tr><w:tc>${paragraphXml(`level${depth}`)}${nested(depth - 1)}</w:tc></w:tr></w:tbl>`;
    const words = (await textOf(await convert(docxFrom(nested(30))))).replace(/\s/g, "");
    for (let depth = 1; depth <= 30; depth++) expect(words).toContain(`level${depth}`);
    expect(words).toContain("core");
  });

  it("wraps a word as long as a book at the end of each line", async () => {
    const word = "x".repeat(repetitions(5_000, 20_000));
    const pdf = await convert(docxFrom(paragraphXml(word)));
    expect((await textOf(pdf)).replace(/\s/g, "")).toBe(word);
  });

  it("cannot reference files outside the archive", async () => {
    const related = [
      relation("s", "styles", "../../../../../../../../etc/passwd"),
      relation("n", "numbering", "file:///etc/passwd"),
      relation("h", "header", "/../../etc/hostname"),
    ].join("");
    const body = `${paragraphXml("text")}<w:sectPr><w:headerReference r:id="h"/></w:sectPr>`;
    const pdf = await convert(docxFrom(body, related, { "../../evil.xml": "x", "C:\\evil.xml": "x" }));
    expect(await textOf(pdf)).toBe("text");
  });
});
