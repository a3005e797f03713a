/** Targets of internal links in the PDF: bookmarks and notes. */
import type { Inline } from "./nodes.js";
import { elementsOf, type XmlElement } from "./xml.js";

export class LinkTargets {
  readonly #ids = new Map<string, string>();
  readonly #byParagraph = new Map<XmlElement, string>();
  readonly #existing = new Set<string>();
  readonly #links: Inline[] = [];

  /** Finds all bookmarks in advance, because links may precede their targets. */
  constructor(body: XmlElement) {
    let names: string[] = [];
    const visit = (element: XmlElement): void => {
      if (element.name === "w:bookmarkStart") names.push(element.attributes["w:name"] ?? "");
      for (const one of elementsOf(element)) visit(one);
      if (element.name !== "w:p" || names.length === 0) return;
      const id = `place-${this.#byParagraph.size + 1}`;
      this.#byParagraph.set(element, id);
      for (const name of names) this.#ids.set(name, id);
      names = [];
    };
    visit(body);
  }

  /** Returns the id that the paragraph's text node must have; undefined without a bookmark or if already claimed. */
  claimId(paragraph: XmlElement): string | undefined {
    const id = this.#byParagraph.get(paragraph);
    if (id === undefined || this.#existing.has(id)) return undefined;
    this.#existing.add(id);
    return id;
  }

  /** Registers the id of a target that is not a bookmark. */
  addId(id: string): string {
    this.#existing.add(id);
    return id;
  }

  idOf(name: string): string | undefined {
    return this.#ids.get(name);
  }

  addLink(inline: Inline): Inline {
    this.#links.push(inline);
    return inline;
  }

  /** Removes links whose targets do not exist in the PDF. */
  removeBrokenLinks(): void {
    for (const inline of this.#links) {
      if (inline.linkToDestination !== undefined && !this.#existing.has(inline.linkToDestination))
        delete inline.linkToDestination;
      if (inline.pageReference !== undefined && !this.#existing.has(inline.pageReference))
        delete inline.pageReference;
    }
  }
}
