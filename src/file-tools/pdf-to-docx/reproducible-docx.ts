/**
 * Makes docx's output reproducible, by replacing random ids and the current time, and valid, by replacing characters
 * that XML does not allow, which docx writes as they are.
 */
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from "fflate";

/** Noon of the earliest day that a zip can store, the same in all time zones. */
const zipDate = "1980-01-01T12:00:00";
const defaultCreationDate = "1980-01-01T00:00:00Z";

const forbiddenCharacters = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Parts to store first, for programs that detect the file type from the first bytes. */
const leadingParts = ["[Content_Types].xml", "_rels/.rels", "word/document.xml"];

export function makeReproducible(docx: Uint8Array, created: string | null): Uint8Array {
  const files = unzipSync(docx);
  const ids = new Map<string, string>();
  const names = Object.keys(files).filter((name) => !name.endsWith("/"));
  const order = [...leadingParts, ...names.filter((name) => !leadingParts.includes(name)).sort()];
  const sealed: Zippable = {};
  for (const name of order) {
    const bytes = files[name];
    if (!bytes) continue;
    const isXml = /\.(?:xml|rels)$/.test(name);
    sealed[name] = [
      isXml ? strToU8(cleanXml(strFromU8(bytes), ids, created ?? defaultCreationDate)) : bytes,
      { level: isXml ? 6 : 0 },
    ];
  }
  return zipSync(sealed, { mtime: zipDate, level: 6 });
}

/** Numbers the ids of links in document order, sets the dates and replaces forbidden characters. */
const cleanXml = (xml: string, ids: Map<string, string>, date: string): string =>
  xml
    .replace(forbiddenCharacters, "\ufffd")
    .replace(/(r:id|Id)="rId([a-z0-9_-]{15,})"/g, (_, attribute, id) => {
      if (!ids.has(id)) ids.set(id, `rIdLink${ids.size + 1}`);
      return `${attribute}="${ids.get(id)}"`;
    })
    .replace(/(<dcterms:(created|modified)[^>]*>)[^<]*/g, (_, tag) => `${tag}${date}`);
