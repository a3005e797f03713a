/** Parses fields such as page numbers, links and references. */

interface OpenField {
  code: string;
  /** Whether the result, which follows the code, has started. */
  isResult: boolean;
}

/** A supported field. Null for any other, which shows the result that Word has stored. */
export type FieldMeaning =
  | { kind: "page" | "pages" }
  | { kind: "link"; address?: string; anchor?: string }
  | { kind: "pageOf"; anchor: string }
  | null;

export function parseField(code: string): FieldMeaning {
  const [name = "", ...words] = (code.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ""));
  const [target = ""] = words;
  switch (name.toUpperCase()) {
    case "PAGE":
      return { kind: "page" };
    case "NUMPAGES":
    case "SECTIONPAGES":
      return { kind: "pages" };
    case "PAGEREF":
      return { kind: "pageOf", anchor: target };
    case "HYPERLINK": {
      const local = words[words.indexOf("\\l") + 1];
      if (words.includes("\\l") && local !== undefined) return { kind: "link", anchor: local };
      return { kind: "link", address: target };
    }
    default:
      return null;
  }
}

/** The open fields at a position of the text. Fields may be nested and span paragraphs. */
export class FieldStack {
  readonly #open: OpenField[] = [];

  begin(): void {
    this.#open.push({ code: "", isResult: false });
  }

  addCode(text: string): void {
    const field = this.#open.at(-1);
    if (field && !field.isResult) field.code += text;
  }

  /** Ends the code of the innermost field and returns its meaning. */
  separate(): FieldMeaning {
    const field = this.#open.at(-1);
    if (!field) return null;
    field.isResult = true;
    return parseField(field.code);
  }

  /** Closes the innermost field and returns its meaning if it had no result. */
  end(): FieldMeaning {
    const field = this.#open.pop();
    return field && !field.isResult ? parseField(field.code) : null;
  }

  /** Returns whether text is shown here: outside field codes and the results of computed fields. */
  isShown(isComputed: (meaning: FieldMeaning) => boolean): boolean {
    return this.#open.every(({ code, isResult }) => isResult && !isComputed(parseField(code)));
  }

  /** Like `isShown`, ignoring the innermost field. */
  isShownOutside(isComputed: (meaning: FieldMeaning) => boolean): boolean {
    return this.#open.slice(0, -1).every(({ code, isResult }) => isResult && !isComputed(parseField(code)));
  }

  /** Returns the innermost open link. */
  link(): Extract<FieldMeaning, { kind: "link" }> | null {
    for (const { code, isResult } of [...this.#open].reverse()) {
      const meaning = isResult ? parseField(code) : null;
      if (meaning?.kind === "link") return meaning;
    }
    return null;
  }
}
