/** Finds violations of ECMA-376 that break word processors: in parts, relationships and the order of elements. */
import { strFromU8 } from "fflate";
import { type Element, parseElement } from "../../support/xml.js";

type Files = Readonly<Record<string, Uint8Array>>;
/** The XML parts by name. */
type Parts = ReadonlyMap<string, Element>;

const parse = (bytes: Uint8Array): Element =>
  parseElement(strFromU8(bytes).replace(/^<\?xml [^>]*\?>\s*/, ""));

/** Parses all XML parts. Throws if one is not well-formed. */
const partsOf = (files: Files): Parts =>
  new Map(
    Object.entries(files)
      .filter(([name]) => /\.(xml|rels)$/.test(name))
      .map(([name, bytes]) => [name, parse(bytes)]),
  );

function xmlOf(parts: Parts, name: string): Element {
  const part = parts.get(name);
  if (!part) throw new Error(`no part ${name}`);
  return part;
}

/** Returns the element and all elements in it. */
function within(root: Element): Element[] {
  const found = [root];
  // The array grows while it is read.
  for (const { children } of found) found.push(...children);
  return found;
}

const all = (root: Element, name: string): Element[] =>
  within(root).filter((element) => element.name === name);
const values = (root: Element, name: string): string[] =>
  all(root, name).map(({ attributes }) => attributes["w:val"] ?? "");
const missing = (wanted: readonly string[], known: readonly (string | undefined)[]): string[] =>
  wanted.filter((one) => !known.includes(one));

/** Required order of properties, without those that we never write. */
const orders: Readonly<Record<string, string>> = {
  "w:pPr": "pStyle keepNext keepLines numPr bidi spacing ind jc outlineLvl rPr sectPr",
  "w:rPr": "rStyle rFonts b bCs i iCs vanish color sz szCs u vertAlign rtl lang",
  "w:tblPr": "tblStyle bidiVisual tblW jc tblInd tblBorders tblLayout tblCellMar",
  "w:tcPr": "tcW gridSpan vMerge tcBorders",
};

function misplaced(root: Element): string[] {
  return within(root).flatMap(({ name, children }) => {
    const places = children.map((child) => (orders[name] ?? "").split(" ").indexOf(child.name.slice(2)));
    const isRight = places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
    return !orders[name] || isRight ? [] : [`${name} contains ${children.map((child) => child.name)}`];
  });
}

function untyped(files: Files, xml: Parts): string[] {
  const types = xmlOf(xml, "[Content_Types].xml");
  const endings = all(types, "Default").map(({ attributes }) => attributes.Extension);
  const parts = all(types, "Override").map(({ attributes }) => attributes.PartName?.slice(1));
  const isTyped = (name: string): boolean => parts.includes(name) || endings.includes(name.split(".").at(-1));
  return Object.keys(files).filter((name) => !isTyped(name));
}

function broken(files: Files, xml: Parts): string[] {
  return Object.keys(files)
    .filter((name) => name.endsWith(".rels"))
    .flatMap((name) => {
      const folder = name.replace(/_rels\/[^/]*$/, "");
      const own = all(xmlOf(xml, name), "Relationship").filter(
        ({ attributes }) => attributes.TargetMode !== "External",
      );
      return missing(
        own.map(({ attributes: { Target = "" } }) =>
          Target.startsWith("/") ? Target.slice(1) : folder + Target,
        ),
        Object.keys(files),
      );
    });
}

/** Finds rows that do not fill the grid, and cells that do not end with a paragraph. */
function ragged(body: Element): string[] {
  return all(body, "w:tbl").flatMap((table) => {
    const columns = table.children.find(({ name }) => name === "w:tblGrid")?.children.length;
    const rows = table.children.filter(({ name }) => name === "w:tr");
    return rows.flatMap((row, index) => {
      const cells = row.children.filter(({ name }) => name === "w:tc");
      const spans = cells.map((cell) => {
        const properties = cell.children.find(({ name }) => name === "w:tcPr");
        const span = properties?.children.find(({ name }) => name === "w:gridSpan");
        return Number(span?.attributes["w:val"] ?? 1);
      });
      const isFull = spans.reduce((sum, span) => sum + span, 0) === columns;
      const isClosed = cells.every((cell) => cell.children.at(-1)?.name === "w:p");
      return isFull && isClosed ? [] : [`row ${index + 1} of a table of ${columns} columns`];
    });
  });
}

export function findViolations(files: Files): string[] {
  const xml = partsOf(files);
  const body = xmlOf(xml, "word/document.xml");
  const styles = all(xmlOf(xml, "word/styles.xml"), "w:style").map(
    ({ attributes }) => attributes["w:styleId"],
  );
  const numbers = all(xmlOf(xml, "word/numbering.xml"), "w:num").map(
    ({ attributes }) => attributes["w:numId"],
  );
  const links = all(xmlOf(xml, "word/_rels/document.xml.rels"), "Relationship").map(
    ({ attributes }) => attributes.Id,
  );
  const used = within(body).flatMap(({ attributes }) =>
    ["r:id", "r:embed"].flatMap((name) => attributes[name] ?? []),
  );
  const pictures = all(body, "wp:docPr").map(({ attributes }) => attributes.id ?? "");
  return [
    ...untyped(files, xml).map((name) => `${name} has no content type`),
    ...broken(files, xml).map((name) => `${name} does not exist`),
    ...missing(used, links).map((id) => `${id} is not a relationship`),
    ...missing([...values(body, "w:pStyle"), ...values(body, "w:rStyle")], styles).map(
      (id) => `no style ${id}`,
    ),
    ...missing(values(body, "w:numId"), numbers).map((id) => `no list ${id}`),
    ...(new Set(pictures).size < pictures.length ? [`pictures share a number: ${pictures}`] : []),
    ...(body.children[0]?.children.at(-1)?.name === "w:sectPr"
      ? []
      : ["the body does not end with a section"]),
    ...misplaced(body),
    ...ragged(body),
  ];
}
