/** Targets of links in the document: bookmarks and endnotes. */
import type { Hyperlink, Item } from "./nodes.js";
import { elementsOf, type XmlElement } from "./xml.js";

type LinkedItem = Extract<Item, Hyperlink>;

export class LinkTargets {
  readonly #names = new Map<string, string>();
  readonly #byParagraph = new Map<XmlElement, string>();
  readonly #existing = new Set<string>();
  readonly #links: LinkedItem[] = [];

  /** Finds all bookmarks in advance, because links may precede their targets. */
  constructor(body: XmlElement) {
    let bookmarks: string[] = [];
    const visit = (element: XmlElement): void => {
      if (element.name === "w:bookmarkStart") bookmarks.push(element.attributes["w:name"] ?? "");
      for (const one of elementsOf(element)) visit(one);
      if (element.name !== "w:p" || bookmarks.length === 0) return;
      const name = `place-${this.#byParagraph.size + 1}`;
      this.#byParagraph.set(element, name);
      for (const bookmark of bookmarks) this.#names.set(bookmark, name);
      bookmarks = [];
    };
    visit(body);
  }

  /** Returns the names of the targets that the paragraph must have. */
  claim(paragraph: XmlElement): string[] {
    const name = this.#byParagraph.get(paragraph);
    return name === undefined || this.#existing.has(name) ? [] : [this.add(name)];
  }

  /** Adds a target that is not a bookmark. */
  add(name: string): string {
    this.#existing.add(name);
    return name;
  }

  nameOf(bookmark: string): string | undefined {
    return this.#names.get(bookmark);
  }

  addLink<T extends LinkedItem>(item: T): T {
    if (item.target !== null) this.#links.push(item);
    return item;
  }

  /** Removes links whose targets are not in the PDF, for which Typst would refuse the document. */
  removeBrokenLinks(): void {
    for (const item of this.#links) {
      if (item.target === null || this.#existing.has(item.target)) continue;
      if (item.kind === "page-of") Object.assign(item, { kind: "text", text: "", splits: false, link: null });
      item.target = null;
    }
  }
}
