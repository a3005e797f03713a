/** Bookmarks as places in the PDF that links lead to. */
import type { Inline } from "./nodes.js";
import { elementsOf, type XmlElement } from "./xml.js";

export class Anchors {
  readonly #ids = new Map<string, string>();
  readonly #byParagraph = new Map<XmlElement, string>();
  readonly #placed = new Set<string>();
  readonly #linked: Inline[] = [];

  /** Finds the bookmarks of the text before it is read, since links may stand before what they lead to. */
  constructor(body: XmlElement) {
    let waiting: string[] = [];
    const visit = (element: XmlElement): void => {
      if (element.name === "w:bookmarkStart") waiting.push(element.attributes["w:name"] ?? "");
      for (const one of elementsOf(element)) visit(one);
      if (element.name !== "w:p" || waiting.length === 0) return;
      const id = `place-${this.#byParagraph.size + 1}`;
      this.#byParagraph.set(element, id);
      for (const name of waiting) this.#ids.set(name, id);
      waiting = [];
    };
    visit(body);
  }

  /** The id that the paragraph's text is to bear. */
  place(paragraph: XmlElement): string | undefined {
    const id = this.#byParagraph.get(paragraph);
    if (id === undefined || this.#placed.has(id)) return undefined;
    this.#placed.add(id);
    return id;
  }

  /** For places that are no bookmarks. */
  placeId(id: string): string {
    this.#placed.add(id);
    return id;
  }

  idOf(name: string): string | undefined {
    return this.#ids.get(name);
  }

  watch(inline: Inline): Inline {
    this.#linked.push(inline);
    return inline;
  }

  /** Takes away links to places that did not come about. */
  settle(): void {
    for (const inline of this.#linked) {
      if (inline.linkToDestination !== undefined && !this.#placed.has(inline.linkToDestination))
        delete inline.linkToDestination;
      if (inline.pageReference !== undefined && !this.#placed.has(inline.pageReference))
        delete inline.pageReference;
    }
  }
}
