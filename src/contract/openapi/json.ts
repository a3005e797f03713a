export type Node = Record<string, unknown>;

/** Without the entries that are undefined, in the order given: the document is compared byte for byte. */
export const present = (node: Node): Node =>
  Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined));
