/** The same document gives the same bytes: what docx makes of the clock and of chance is replaced. */
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from "fflate";

/** The earliest date that a zip can hold, so that no machine's clock or zone shows. */
const zipEpoch = "1980-01-01T12:00:00";
const fixedDate = "1980-01-01T00:00:00Z";

/** Readers that look at a file's beginning want to see first what it is. */
const first = ["[Content_Types].xml", "_rels/.rels", "word/document.xml"];

export function seal(docx: Uint8Array, created: string | null): Uint8Array {
  const files = unzipSync(docx);
  const ids = new Map<string, string>();
  const names = Object.keys(files).filter((name) => !name.endsWith("/"));
  const order = [...first, ...names.filter((name) => !first.includes(name)).sort()];
  const sealed: Zippable = {};
  for (const name of order) {
    const bytes = files[name];
    if (!bytes) continue;
    const isText =
      name.startsWith("word/document.xml") ||
      name.startsWith("word/_rels/document.xml") ||
      name === "docProps/core.xml";
    const isPacked = name.startsWith("word/media/");
    sealed[name] = [
      isText ? strToU8(steady(strFromU8(bytes), ids, created ?? fixedDate)) : bytes,
      { level: isPacked ? 0 : 6 },
    ];
  }
  return zipSync(sealed, { mtime: zipEpoch, level: 6 });
}

/** Links' ids in the order of the document; dates as the PDF has them. */
const steady = (xml: string, ids: Map<string, string>, date: string): string =>
  xml
    .replace(/(r:id|Id)="rId([a-z0-9_-]{15,})"/g, (_, attribute, id) => {
      if (!ids.has(id)) ids.set(id, `rIdLink${ids.size + 1}`);
      return `${attribute}="${ids.get(id)}"`;
    })
    .replace(/(<dcterms:(created|modified)[^>]*>)[^<]*/g, (_, tag) => `${tag}${date}`);
