/** Adds elements to a pom.xml without changing anything else of its text. */

const token = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([\w.:-]+)[^>]*?(\/?)>/g;

/** Returns the position of the end tag of the element at this path, or null if there is none. */
function endTagOf(xml: string, path: readonly string[]): number | null {
  const open: string[] = [];
  for (const { 1: slash, 2: name, 3: isEmpty, index } of xml.matchAll(token)) {
    if (name === undefined || isEmpty) continue;
    if (!slash) {
      open.push(name);
      continue;
    }
    if (open.join("/") === path.join("/")) return index;
    open.pop();
  }
  return null;
}

/** Adds text at the end of the element at this path, whose missing ancestors are created. */
export function addElement(xml: string, path: readonly string[], text: string): string {
  const end = endTagOf(xml, path);
  if (end === null) {
    const name = path.at(-1);
    return addElement(xml, path.slice(0, -1), `<${name}>\n${indent(text)}\n</${name}>`);
  }
  const lineStart = xml.lastIndexOf("\n", end) + 1;
  const depth = "  ".repeat(path.length);
  return `${xml.slice(0, lineStart)}${text.replaceAll(/^/gm, depth)}\n${xml.slice(lineStart)}`;
}

const indent = (text: string): string => text.replaceAll(/^/gm, "  ");
