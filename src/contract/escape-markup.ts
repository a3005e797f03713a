/**
 * Matches characters that XML 1.0 does not allow, not even escaped: most control characters, and halves of surrogate
 * pairs.
 */
export const notInXml = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Escapes a text for the content and the attributes of HTML, SVG and any XML. Characters that XML does not allow become
 * U+FFFD.
 */
export const escapeMarkup = (text: string): string =>
  text.replaceAll(notInXml, "\ufffd").replaceAll(/[&<>"']/g, (character) => entities[character] as string);
