/** One line a fact: read as sentences on a terminal, as a list on the assumptions page. */
export const facts = (...lines: readonly string[]): string => lines.join("\n");
