/** A strict parser for the XML that we write. Throws if it is not well-formed. */

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (/[<\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u.test(text))
    throw new Error(`not for XML: ${text}`);
  return text.replaceAll(/&(#\d+|\w+)?(;?)/g, (whole, name: string | undefined, end: string) => {
    const meant = name?.startsWith("#") ? String.fromCodePoint(Number(name.slice(1))) : entities[name ?? ""];
    if (meant === undefined || end === "") throw new Error(`no entity: ${whole}`);
    return meant;
  });
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const rest = text.replaceAll(/\s+([a-zA-Z][\w:.-]*)="([^"]*)"/g, (_, name: string, value: string) => {
    if (name in found) throw new Error(`twice the attribute ${name}`);
    found[name] = unescaped(value);
    return "";
  });
  if (rest.trim() !== "") throw new Error(`no attributes: ${rest}`);
  return found;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Parses a document with an XML declaration and returns its root element. */
export function parseXml(text: string): Element {
  if (!text.startsWith(declaration)) throw new Error("no XML declaration");
  return parseElement(text.slice(declaration.length));
}

/** Parses a single element and nothing else. */
export function parseElement(text: string): Element {
  const document: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [document];
  for (const [, tag, plain] of text.matchAll(/<((?:[^>"]|"[^"]*")*)>|([^<]+)/g)) {
    const inside = open.at(-1) as Element;
    if (plain !== undefined) inside.text += unescaped(plain);
    else if (tag?.startsWith("/")) {
      if (open.pop()?.name !== tag.slice(1)) throw new Error(`</${tag.slice(1)}> closes another`);
    } else {
      const [, name = "", attributes = "", empty] =
        /^([a-zA-Z][\w:.-]*)([\s\S]*?)(\/?)$/.exec(tag ?? "") ?? [];
      const element = { name, attributes: attributesOf(attributes), children: [], text: "" };
      inside.children.push(element);
      if (!empty) open.push(element);
    }
  }
  const [root, ...more] = document.children;
  if (open.length !== 1 || !root || more.length > 0 || document.text.trim() !== "")
    throw new Error("not one whole element");
  return root;
}
