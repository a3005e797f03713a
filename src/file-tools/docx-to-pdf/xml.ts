/** Parses XML into a light tree, without the prefixes of namespaces. */
import { Parser } from "htmlparser2";
import { UnreadableFileError } from "../engine.js";

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

/** Maximum nesting: deeper than any real document, and safe for recursion. */
const maxDepth = 300;
const maxElements = 1_000_000;

/**
 * Returns a name without its prefix. Prefixes differ between documents, and no two names that are read differ only in
 * their prefix.
 */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Returns whether white space is significant in an element. */
const preservesSpace = (name: string): boolean => name === "t" || name === "instrText";

export function parseXml(bytes: Uint8Array, part: string): XmlElement {
  const malformedError = (): UnreadableFileError =>
    new UnreadableFileError(`the file is damaged: ${part} is not well-formed XML`);
  const root: XmlElement = { name: "", attributes: {}, children: [] };
  const open: { element: XmlElement; start: number }[] = [{ element: root, start: -1 }];
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
        const attributes: Record<string, string> = {};
        for (const key in given) attributes[localName(key)] = given[key] ?? "";
        const element = { name: localName(name), attributes, children: [] };
        parent.element.children.push(element);
        open.push({ element, start: parser.startIndex });
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
  child(element, name)?.attributes.val;

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
