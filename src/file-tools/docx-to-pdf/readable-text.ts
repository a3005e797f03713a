/**
 * Rewrites the PDFs of Typst, so that programs read their text as it is written. Typst draws a letter and its combining
 * marks as several glyphs, and gives the text of the whole letter to each of them. The right text is in marks around
 * the glyphs (`ActualText`, and the tags of the structure), which some programs do not read, and which make pdf.js add
 * spaces within words. This file gives each glyph its own part of the text, and removes the marks.
 */
import { constants, deflateSync, inflateSync } from "node:zlib";

/** Matches the entries of a composite font for the font of its glyphs, and for the map from glyphs to text. */
const compositeFont = /\/DescendantFonts \[(\d+) 0 R\]\s*\/ToUnicode (\d+) 0 R/;
/** Matches the widths of ranges of glyphs. Other glyphs, such as combining marks, have no width. */
const widthList = /\/W \[([^\]]*)\]/;
/** Matches an entry of a text map: the code of a glyph and its UTF-16 text. */
const mapEntry = /<([0-9A-F]{4})> <((?:[0-9A-F]{4})+)>/g;
const reference = /(\d+) 0 R/g;
/** Matches the beginning or end of marked content, on its own line. Strings contain no line breaks. */
const markedContent = /^(?:\/\w+ <<(?:<[0-9A-F]*>|[^<>])*>> BDC|\/\w+ BMC|EMC)(?:\n|$)/gm;
const structureEntries = /\/(?:StructTreeRoot \d+ 0 R|StructParents? \d+|MarkInfo <<[^<>]*>>|Tabs \/S)\n/g;

/** Maximum number of entries in a block of a text map. */
const maxMapEntries = 100;

const combiningMarks = /^\p{M}+$/u;

const fromHexadecimal = (digits: string): string => Buffer.from(digits, "hex").swap16().toString("utf16le");
const toHexadecimal = (text: string): string =>
  Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase();

/** An object of the PDF: its dictionary or other value as text, and the bytes of its stream. */
interface PdfObject {
  value: string;
  stream: Buffer | null;
}

const streamStart = "\nstream\n";
const streamEnd = "\nendstream";

/** Reads the objects of a PDF with a plain table of references, as Typst writes it. */
function readObjects(file: Buffer): { objects: Map<number, PdfObject>; trailer: string } {
  const table = file.toString("latin1", file.lastIndexOf("\nxref\n"));
  const offsets = [...table.matchAll(/^(\d{10}) \d{5} [fn]/gm)].map(([, offset]) => Number(offset));
  const objects = new Map<number, PdfObject>();
  for (const [number, offset] of offsets.entries()) {
    if (number === 0) continue;
    const start = file.indexOf("obj\n", offset) + "obj\n".length;
    const end = file.indexOf("\nendobj", start);
    const head = file.indexOf(streamStart, start);
    if (head < 0 || head > end) {
      objects.set(number, { value: file.toString("latin1", start, end), stream: null });
      continue;
    }
    const value = file.toString("latin1", start, head);
    const from = head + streamStart.length;
    const length = Number(/\/Length (\d+)/.exec(value)?.[1]);
    objects.set(number, { value, stream: file.subarray(from, from + length) });
  }
  const [trailer = ""] = /trailer\n<<[\s\S]*?>>\n/.exec(table) ?? [];
  return { objects, trailer };
}

/** Writes the objects that the trailer needs, in their order and with their numbers. */
function writeObjects(objects: ReadonlyMap<number, PdfObject>, trailer: string): Buffer {
  const needed = new Set<number>();
  const queue = [trailer];
  for (let text = queue.pop(); text !== undefined; text = queue.pop())
    for (const [, digits] of text.matchAll(reference)) {
      const number = Number(digits);
      const object = objects.get(number);
      if (!object || needed.has(number)) continue;
      needed.add(number);
      queue.push(object.value);
    }
  const pieces: Buffer[] = [Buffer.from("%PDF-1.7\n%\x80\x80\x80\x80\n", "latin1")];
  let at = pieces[0]?.length ?? 0;
  const entries = ["0000000000 65535 f\r\n"];
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    at += piece.length;
  };
  for (const [number, { value, stream }] of objects) {
    if (!needed.has(number)) {
      entries[number] = "0000000000 00000 f\r\n";
      continue;
    }
    entries[number] = `${String(at).padStart(10, "0")} 00000 n\r\n`;
    add(Buffer.from(`${number} 0 obj\n${value}`, "latin1"));
    if (stream) for (const piece of [Buffer.from(streamStart), stream, Buffer.from(streamEnd)]) add(piece);
    add(Buffer.from("\nendobj\n"));
  }
  const end = `xref\n0 ${entries.length}\n${entries.join("")}${trailer}startxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(end, "latin1")]);
}

/** Texts of glyphs by their codes, as four hexadecimal digits. */
type GlyphTexts = Map<string, string>;

/** Returns the PDF with text that can be read. */
export function withReadableText(pdf: Uint8Array): Uint8Array {
  const { objects, trailer } = readObjects(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
  const textsByMap = new Map<number, GlyphTexts>();
  for (const object of objects.values()) {
    readPage(object.value, objects, textsByMap);
    object.value = object.value.replace(structureEntries, "");
  }
  for (const { value } of objects.values()) {
    const [, glyphs, map] = compositeFont.exec(value) ?? [];
    const mapObject = objects.get(Number(map));
    if (!mapObject?.stream) continue;
    const [, widths = ""] = widthList.exec(objects.get(Number(glyphs))?.value ?? "") ?? [];
    const texts = textsByMap.get(Number(map)) ?? new Map();
    replaceStream(mapObject, correctMap(mapObject.stream.toString("latin1"), readWide(widths), texts));
  }
  return writeObjects(objects, trailer);
}

function replaceStream(object: PdfObject, text: string): void {
  const isPacked = object.value.includes("/FlateDecode");
  const bytes = Buffer.from(text, "latin1");
  object.stream = isPacked ? deflateSync(bytes) : bytes;
  object.value = object.value.replace(/\/Length \d+/, `/Length ${object.stream.length}`);
}

/** Matches a piece of a page with its own text, and its drawing. */
const markedPiece = /\/ActualText <FEFF([0-9A-F]+)>\s*>> BDC\n([\s\S]*?)\nEMC/g;
const fontOfPiece = /\/(\w+) [\d.]+ Tf\n/;
/** Matches a string of glyph codes. */
const codeString = /\(((?:\\[\s\S]|[^\\()])*)\)|<([0-9A-Fa-f]+)>/g;
const escapedByte = /\\([0-7]{1,3}|[\s\S])/g;
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Removes the marks from a page, and notes the texts of glyphs by the number of the map that lacks them. */
function readPage(
  page: string,
  objects: ReadonlyMap<number, PdfObject>,
  textsByMap: Map<number, GlyphTexts>,
): void {
  const [, contents] = /\/Type \/Page\n[\s\S]*\/Contents (\d+) 0 R/.exec(page) ?? [];
  const content = objects.get(Number(contents));
  if (!content?.stream || !content.value.includes("/FlateDecode")) return;
  const drawing = inflateSync(content.stream, { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1");
  for (const [, digits = "", piece = ""] of drawing.matchAll(markedPiece)) {
    const font = fontOfPiece.exec(piece);
    const [, number] = new RegExp(`/${font?.[1]} (\\d+) 0 R`).exec(page) ?? [];
    const [, , map] = compositeFont.exec(objects.get(Number(number))?.value ?? "") ?? [];
    const texts = textsByMap.get(Number(map)) ?? new Map();
    textsByMap.set(Number(map), texts);
    const codes = readCodes(piece.slice(font?.index));
    const parts = divideText(fromHexadecimal(digits), codes.length);
    for (const [at, part] of parts.entries()) texts.set(codes[at] ?? "", part);
  }
  replaceStream(content, drawing.replace(markedContent, ""));
}

function readCodes(drawing: string): string[] {
  return [...drawing.matchAll(codeString)].flatMap(([, literal, hexadecimal]) => {
    const bytes = literal?.replace(escapedByte, (_, sign: string) =>
      /[0-7]/.test(sign) ? String.fromCharCode(Number.parseInt(sign, 8)) : (escapes[sign] ?? sign),
    );
    const digits = bytes === undefined ? hexadecimal : Buffer.from(bytes, "latin1").toString("hex");
    return digits?.toUpperCase().match(/.{4}/g) ?? [];
  });
}

/** Divides a text among several glyphs, in the order in which they are drawn. The base letter gets the rest. */
function divideText(text: string, count: number): string[] {
  if (count < 2) return [];
  const letters = [...text];
  const parts = letters.length < count ? [...text.normalize("NFD")] : letters;
  if (parts.length < count) return [];
  const split = [parts.slice(0, parts.length - count + 1).join(""), ...parts.slice(parts.length - count + 1)];
  return rightToLeft.test(text) ? split.reverse() : split;
}

/** Returns the codes of glyphs that have a width. */
function readWide(widths: string): ReadonlySet<number> {
  const wide = new Set<number>();
  for (const [, first, last] of widths.matchAll(/(\d+) (\d+) [\d.]+/g))
    for (let code = Number(first); code <= Number(last); code++) wide.add(code);
  return wide;
}

/** Corrects a text map with the texts of pages, and with marks that are drawn by themselves. */
function correctMap(map: string, wide: ReadonlySet<number>, texts: GlyphTexts): string {
  const entries = [...map.matchAll(mapEntry)].map(([, code = "", digits = ""]) => ({
    code,
    text: fromHexadecimal(digits),
    isWide: wide.has(Number.parseInt(code, 16)),
  }));
  const corrected = new Map(texts);
  for (const { code, text, isWide } of entries) {
    if (isWide || corrected.has(code)) continue;
    const [, ...rest] = text.length > 1 ? text : text.normalize("NFD");
    // Glyphs are numbered as they appear, so the first unknown glyph has the first unknown mark.
    const mark = rest.find((candidate) => ![...corrected.values()].includes(candidate)) ?? rest[0];
    if (mark !== undefined && combiningMarks.test(mark)) corrected.set(code, mark);
  }
  for (const { code, text, isWide } of entries) {
    const [base = "", ...rest] = text;
    const isMarked = isWide && combiningMarks.test(rest.join(""));
    if (!corrected.has(code)) corrected.set(code, isMarked ? base : text);
  }
  const lines = [...corrected].map(([code, text]) => `<${code}> <${toHexadecimal(text)}>\n`).sort();
  let blocks = "";
  for (let at = 0; at < lines.length; at += maxMapEntries) {
    const block = lines.slice(at, at + maxMapEntries);
    blocks += `${block.length} beginbfchar\n${block.join("")}endbfchar\n`;
  }
  const [start, end] = [map.indexOf("endcodespacerange\n"), map.indexOf("endcmap")];
  return `${map.slice(0, start)}endcodespacerange\n${blocks}${map.slice(end)}`;
}
