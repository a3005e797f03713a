/** Fields: page numbers, links and references that Word computes; all others show what Word last computed. */

interface Field {
  code: string;
  /** Behind the code stands the result. */
  isResult: boolean;
}

/** What a field means to us; `null` shows its last result. */
export type Meaning =
  | { kind: "page" | "pages" }
  | { kind: "link"; address?: string; anchor?: string }
  | { kind: "pageOf"; anchor: string }
  | null;

export function readField(code: string): Meaning {
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

/** The fields that are open at a point of the text; they may span paragraphs. */
export class Fields {
  readonly #open: Field[] = [];

  begin(): void {
    this.#open.push({ code: "", isResult: false });
  }

  addCode(text: string): void {
    const field = this.#open.at(-1);
    if (field && !field.isResult) field.code += text;
  }

  /** What the innermost field means, now that its code is whole. */
  separate(): Meaning {
    const field = this.#open.at(-1);
    if (!field) return null;
    field.isResult = true;
    return readField(field.code);
  }

  /** The meaning of a field that had no result. */
  end(): Meaning {
    const field = this.#open.pop();
    return field && !field.isResult ? readField(field.code) : null;
  }

  /** Codes are not shown, nor results that we compute anew. */
  isShown(isOurs: (meaning: Meaning) => boolean): boolean {
    return this.#open.every(({ code, isResult }) => isResult && !isOurs(readField(code)));
  }

  /** The same of all but the innermost. */
  isShownOutside(isOurs: (meaning: Meaning) => boolean): boolean {
    return this.#open.slice(0, -1).every(({ code, isResult }) => isResult && !isOurs(readField(code)));
  }

  /** The innermost link that is open. */
  link(): Extract<Meaning, { kind: "link" }> | null {
    for (const { code, isResult } of [...this.#open].reverse()) {
      const meaning = isResult ? readField(code) : null;
      if (meaning?.kind === "link") return meaning;
    }
    return null;
  }
}
