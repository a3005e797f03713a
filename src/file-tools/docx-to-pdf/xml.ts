/** Parses XML into a light tree with normalized namespace prefixes. */
import { Parser } from "htmlparser2";
import { UnreadableFileError } from "../engine.js";

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

/** Deeper than any real document, and safe for recursion. */
const maxDepth = 300;
const maxElements = 1_000_000;

/** Prefixes by namespace, in transitional and strict OOXML. */
const knownPrefixes: Readonly<Record<string, string>> = {
  "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
  "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
  "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
  "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
  "http://purl.oclc.org/ooxml/drawingml/main": "a",
  "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp",
  "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": "wp",
  "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
  "http://purl.oclc.org/ooxml/officeDocument/math": "m",
  "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://purl.org/dc/terms/": "dcterms",
  "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
  "http://purl.oclc.org/ooxml/drawingml/chart": "c",
  "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
  "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
  "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
  "urn:schemas-microsoft-com:vml": "v",
  "urn:schemas-microsoft-com:office:office": "o",
};

type PrefixScope = Readonly<Record<string, string>>;

function scopeOf(attributes: Record<string, string>, outer: PrefixScope): PrefixScope {
  let scope: Record<string, string> | null = null;
  for (const name in attributes) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    scope ??= { ...outer };
    scope[name.slice(6)] = knownPrefixes[attributes[name] ?? ""] ?? name.slice(6);
  }
  return scope ?? outer;
}

function qualify(name: string, scope: PrefixScope, isAttribute: boolean): string {
  const colon = name.indexOf(":");
  if (colon < 0 && isAttribute) return name;
  const prefix = colon < 0 ? "" : name.slice(0, colon);
  const known = scope[prefix] ?? prefix;
  const local = colon < 0 ? name : name.slice(colon + 1);
  return known === "" ? local : `${known}:${local}`;
}

/** Elements in which white space is significant. */
const preservesSpace = (name: string): boolean => name === "w:t" || name === "m:t" || name === "w:instrText";

export function parseXml(bytes: Uint8Array, part: string): XmlElement {
  const malformedError = (): UnreadableFileError =>
    new UnreadableFileError(`the file is damaged: ${part} is not well-formed XML`);
  const root: XmlElement = { name: "", attributes: {}, children: [] };
  const open: { element: XmlElement; scope: PrefixScope; start: number }[] = [
    { element: root, scope: {}, start: -1 },
  ];
  let elements = 0;

  const parser = new Parser(
    {
      onopentag(name, given) {
        const parent = open[open.length - 1] as (typeof open)[number];
        if (open.length > maxDepth)
          throw new UnreadableFileError(`${part} is nested deeper than ${maxDepth} elements`);
        if (++elements > maxElements)
          throw new UnreadableFileError(
            `${part} has more than ${maxElements} elements; send the document in smaller parts`,
          );
        const scope = scopeOf(given, parent.scope);
        const attributes: Record<string, string> = {};
        for (const key in given) attributes[qualify(key, scope, true)] = given[key] ?? "";
        const element = { name: qualify(name, scope, false), attributes, children: [] };
        parent.element.children.push(element);
        open.push({ element, scope, start: parser.startIndex });
      },
      ontext(text) {
        const { element } = open[open.length - 1] as (typeof open)[number];
        const last = element.children.length - 1;
        // The parser reports entities, and the text between them, separately.
        if (typeof element.children[last] === "string") element.children[last] += text;
        else if (preservesSpace(element.name) || /\S/.test(text)) element.children.push(text);
      },
      onclosetag(_name, isImplied) {
        // A self-closing tag is reported as implied too, but it closes where it opened.
        const closed = open.pop();
        if (isImplied && closed?.start !== parser.startIndex) throw malformedError();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(decode(bytes));
  const [element] = root.children.filter((child) => typeof child !== "string");
  if (!element) throw malformedError();
  return element;
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

export const elementsOf = (element: XmlElement | undefined): XmlElement[] =>
  (element?.children.filter((child) => typeof child !== "string") as XmlElement[] | undefined) ?? [];

export const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((node): node is XmlElement => typeof node !== "string" && node.name === name);

export const children = (element: XmlElement | undefined, name: string): XmlElement[] =>
  elementsOf(element).filter((inner) => inner.name === name);

/** Returns the `w:val` attribute of a child; undefined without child or attribute. */
export const valOf = (element: XmlElement | undefined, name: string): string | undefined =>
  child(element, name)?.attributes["w:val"];

export function textOf(element: XmlElement | undefined): string {
  return element?.children.map((node) => (typeof node === "string" ? node : textOf(node))).join("") ?? "";
}

/** Finds descendants by name in document order, without descending into matches. */
export function* findElement(element: XmlElement, name: string): Generator<XmlElement> {
  for (const inner of elementsOf(element)) {
    if (inner.name === name) yield inner;
    else yield* findElement(inner, name);
  }
}

export const isTrue = (value: string | undefined): boolean =>
  value === "1" || value === "true" || value === "on";
