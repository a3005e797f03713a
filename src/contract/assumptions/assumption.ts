/** A question that the interface leaves open, and how the sandbox answers it. */
export interface Assumption {
  readonly id: string;
  /** Question that the interface does not answer. */
  readonly question: string;
  /** Behaviour of the sandbox by default. */
  readonly default: string;
  readonly reason: string;
  /** Values that can be chosen. Omitted if clients cannot observe a difference. */
  readonly switch?: { readonly default: string; readonly alternatives: Readonly<Record<string, string>> };
}

/** Joins facts, one per line. A terminal shows them as sentences, the assumptions page as a list. */
export const facts = (...lines: readonly string[]): string => lines.join("\n");
