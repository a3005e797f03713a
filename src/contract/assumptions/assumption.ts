/** One silence of the interface and how the sandbox fills it. */
export interface Assumption {
  readonly id: string;
  /** What the interface does not say. */
  readonly question: string;
  /** What the sandbox does. */
  readonly default: string;
  readonly reason: string;
  /** Values that can be chosen. Omitted if clients cannot observe a difference. */
  readonly switch?: { readonly default: string; readonly alternatives: Readonly<Record<string, string>> };
}

/** Joins facts, one per line: shown as sentences in a terminal and as a list on the assumptions page. */
export const facts = (...lines: readonly string[]): string => lines.join("\n");
