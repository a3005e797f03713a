/** Reads sections: ranges of pages with one page size, header and footer. Lengths are points. */
import { readBlocks } from "./blocks.js";
import type { DocxPackage } from "./docx-package.js";
import type { PageParts, Section } from "./nodes.js";
import { clamp, isOn, pointsOf } from "./run-style.js";
import { createStory, type DocxStory, topLevelContext } from "./story.js";
import { child, children, elementsOf, valOf, type XmlElement } from "./xml.js";

/** Limits of the page size. Word allows 22 inches, which is 1,584 points. */
const minPageSide = 72;
const maxPageSide = 2_000;

type PageLayout = Pick<
  Section,
  "width" | "height" | "left" | "top" | "right" | "bottom" | "header-at" | "footer-at"
>;

function readPageLayout(properties: XmlElement | undefined): PageLayout {
  const size = child(properties, "w:pgSz")?.attributes;
  const margins = child(properties, "w:pgMar")?.attributes;
  // Word's default is US Letter.
  const width = clamp(pointsOf(size?.["w:w"]) ?? 612, minPageSide, maxPageSide);
  const height = clamp(pointsOf(size?.["w:h"]) ?? 792, minPageSide, maxPageSide);
  const margin = (side: string, most: number): number =>
    clamp(Math.abs(pointsOf(margins?.[`w:${side}`]) ?? 72), 0, most);
  return {
    width,
    height,
    left: margin("left", width * 0.4) + clamp(pointsOf(margins?.["w:gutter"]) ?? 0, 0, 100),
    top: margin("top", height * 0.4),
    right: margin("right", width * 0.4),
    bottom: margin("bottom", height * 0.4),
    "header-at": clamp(pointsOf(margins?.["w:header"]) ?? 36, 0, height * 0.3),
    "footer-at": clamp(pointsOf(margins?.["w:footer"]) ?? 36, 0, height * 0.3),
  };
}

/** Room that a page always leaves below its last line, in which a picture as high as the page would not fit. */
const spareHeight = 20;

export class SectionReader {
  readonly sections: Section[] = [];
  readonly #file: DocxPackage;
  readonly #story: DocxStory;
  /** Headers and footers of the current section. Missing ones are inherited from the previous section. */
  #paths: Readonly<Record<string, string>> = {};

  constructor(file: DocxPackage, story: DocxStory) {
    this.#file = file;
    this.#story = story;
  }

  /** Reads the body by section. A section ends with the paragraph that has its properties. */
  read(body: XmlElement): void {
    let pending: XmlElement[] = [];
    for (const element of elementsOf(body)) {
      if (element.name === "w:sectPr") continue;
      pending.push(element);
      const properties = child(child(element, "w:pPr"), "w:sectPr");
      if (!properties) continue;
      this.#add(pending, properties);
      pending = [];
    }
    const last = child(body, "w:sectPr");
    if (pending.length > 0 || this.sections.length === 0) this.#add(pending, last);
  }

  #add(elements: readonly XmlElement[], properties: XmlElement | undefined): void {
    this.#readPaths(properties);
    const layout = readPageLayout(properties);
    const width = layout.width - layout.left - layout.right;
    const height = layout.height - layout.top - layout.bottom - spareHeight;
    const blocks = readBlocks(elements, topLevelContext(this.#story, width, height));
    const isContinuous = valOf(properties, "w:type") === "continuous";
    const previous = this.sections.at(-1);
    const hasSameSize = previous?.width === layout.width && previous.height === layout.height;
    if (isContinuous && previous && hasSameSize) previous.blocks.push(...blocks);
    else
      this.sections.push({
        ...layout,
        name: `section-${this.sections.length + 1}`,
        headers: this.#readParts("header", width, layout.height),
        footers: this.#readParts("footer", width, layout.height),
        "has-first-page": isOn(properties, "w:titlePg") ?? false,
        start: pageStart(properties),
        blocks,
      });
  }

  #readPaths(properties: XmlElement | undefined): void {
    const relationships = this.#file.relationshipsOf(this.#file.mainPath);
    for (const kind of ["header", "footer"] as const)
      for (const { attributes } of children(properties, `w:${kind}Reference`)) {
        const relationship = relationships.get(attributes["r:id"] ?? "");
        if (relationship && !relationship.isExternal)
          this.#paths = {
            ...this.#paths,
            [`${kind} ${attributes["w:type"] ?? "default"}`]: relationship.target,
          };
      }
  }

  #readParts(kind: "header" | "footer", width: number, pageHeight: number): PageParts {
    const parts: PageParts = {};
    for (const type of ["default", "first", "even"]) {
      const path = this.#paths[`${kind} ${type}`];
      const root = path === undefined ? undefined : this.#file.readPart(path);
      if (path === undefined || !root) continue;
      const story = createStory(
        { ...this.#story, linkTargets: null },
        "header",
        this.#file.relationshipsOf(path),
      );
      parts[type] = readBlocks(root, topLevelContext(story, width, pageHeight * 0.3));
    }
    return parts;
  }
}

function pageStart(properties: XmlElement | undefined): number | null {
  const start = Number(child(properties, "w:pgNumType")?.attributes["w:start"] ?? Number.NaN);
  return Number.isSafeInteger(start) ? start : null;
}
