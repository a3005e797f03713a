/**
 * Escapes characters outside ASCII that esbuild leaves in regular expressions and tagged templates. The loader reads the program
 * with one byte per character, which halves its memory and the time of a start.
 */
import { readFile, writeFile } from "node:fs/promises";
import ts from "typescript";

const beyondAscii = /[^\0-\x7f]/;
/** @param {string} unit */
const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A backslash before a character outside ASCII means nothing, and would make another escape of its escape.
 *
 * @param {string} pattern
 */
const escapeCharacters = (pattern) =>
  pattern.replace(/\\([\0-\x7f])|\\?([^\0-\x7f])/g, (same, ascii, unit) => (ascii ? same : escapeUnit(unit)));

/** Tags of templates that do not read the raw text, in which an escape would not be the character. */
const cookedTags = new Set(["html"]);

/**
 * Returns the places of the regular expressions and tagged templates that hold characters outside ASCII.
 *
 * @param {string} text
 */
function findPatterns(text) {
  const source = ts.createSourceFile("bundle.js", text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  /** @type {{ start: number; end: number }[]} */
  const found = [];
  /** @param {ts.Node} node */
  const add = (node) => {
    if (beyondAscii.test(text.slice(node.pos, node.end))) found.push({ start: node.pos, end: node.end });
  };
  /** @param {ts.TemplateLiteral} template */
  const addTemplate = (template) => {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return add(template);
    add(template.head);
    for (const span of template.templateSpans) add(span.literal);
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) add(node);
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && cookedTags.has(node.tag.text))
      addTemplate(node.template);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.sort((a, b) => a.start - b.start);
}

/**
 * Escapes characters outside ASCII in regular expressions and tagged templates. Throws if the text has others.
 *
 * @param {string} text
 * @param {string} file
 */
export function escapePatterns(text, file) {
  if (!beyondAscii.test(text)) return text;
  let escaped = "";
  let end = 0;
  for (const pattern of findPatterns(text)) {
    escaped += text.slice(end, pattern.start) + escapeCharacters(text.slice(pattern.start, pattern.end));
    end = pattern.end;
  }
  escaped += text.slice(end);
  const at = escaped.search(beyondAscii);
  if (at >= 0)
    throw new Error(
      `${file}: the loader would read this text wrongly: ${escaped.slice(Math.max(0, at - 40), at + 40)}`,
    );
  return escaped;
}

/**
 * Rewrites files that have characters outside ASCII.
 *
 * @param {readonly string[]} files
 */
export async function escapePatternsIn(files) {
  for (const file of files) {
    const text = await readFile(file, "utf8");
    const escaped = escapePatterns(text, file);
    if (escaped !== text) await writeFile(file, escaped);
  }
}
