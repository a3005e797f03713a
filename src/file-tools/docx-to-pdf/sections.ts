/** Reads the sections of a document, with their headers and footers, and writes them as Typst code. */
import { readBlocks } from "./blocks.js";
import type { DocxPackage } from "./docx-package.js";
import { createStory, type DocxStory, topLevelContext } from "./story.js";
import { clamp, isOn, pointsOf } from "./styles.js";
import { points, quote } from "./text.js";
import { child, children, elementsOf, valOf, type XmlElement } from "./xml.js";

/** Limits of the page size in points. Word allows 22 inches, which is 1,584 points. */
const minPageSide = 72;
const maxPageSide = 2_000;
/** Space in points that a page always leaves below its last line, so that a picture must be lower than the page. */
const spareHeight = 20;

/** Arguments of a section, in points. */
type PageLayout = Record<
  "width" | "height" | "left" | "top" | "right" | "bottom" | "header-at" | "footer-at",
  number
>;

function readPageLayout(properties: XmlElement | undefined): PageLayout {
  const size = child(properties, "pgSz")?.attributes;
  const margins = child(properties, "pgMar")?.attributes;
  // Word's default is US Letter.
  const width = clamp(pointsOf(size?.w) ?? 612, minPageSide, maxPageSide);
  const height = clamp(pointsOf(size?.h) ?? 792, minPageSide, maxPageSide);
  const margin = (side: string, most: number, usual = 72): number =>
    clamp(Math.abs(pointsOf(margins?.[`${side}`]) ?? usual), 0, most);
  return {
    width,
    height,
    left: margin("left", width * 0.4) + margin("gutter", 100, 0),
    top: margin("top", height * 0.4),
    right: margin("right", width * 0.4),
    bottom: margin("bottom", height * 0.4),
    "header-at": margin("header", height * 0.3, 36),
    "footer-at": margin("footer", height * 0.3, 36),
  };
}

interface Section {
  layout: PageLayout;
  /** Additional arguments, as code. */
  options: string;
  blocks: string[];
}

class SectionReader {
  readonly sections: Section[] = [];
  readonly #file: DocxPackage;
  readonly #story: DocxStory;
  readonly #hasEvenPages: boolean;
  /** Headers and footers of the current section. Missing ones are inherited from the previous section. */
  readonly #paths = new Map<string, string>();

  constructor(file: DocxPackage, story: DocxStory) {
    this.#file = file;
    this.#story = story;
    this.#hasEvenPages = isOn(file.readRelated("settings"), "evenAndOddHeaders") ?? false;
  }

  add(elements: readonly XmlElement[], properties: XmlElement | undefined): void {
    this.#readPaths(properties);
    const layout = readPageLayout(properties);
    const width = layout.width - layout.left - layout.right;
    const height = layout.height - layout.top - layout.bottom - spareHeight;
    const blocks = readBlocks(elements, topLevelContext(this.#story, width, height));
    const last = this.sections.at(-1);
    const hasSameSize = last?.layout.width === layout.width && last.layout.height === layout.height;
    if (last && hasSameSize && valOf(properties, "type") === "continuous") last.blocks.push(...blocks);
    else this.sections.push({ layout, options: this.#options(properties, layout), blocks });
  }

  #readPaths(properties: XmlElement | undefined): void {
    const relationships = this.#file.relationshipsOf(this.#file.mainPath);
    for (const kind of ["header", "footer"])
      for (const { attributes } of children(properties, `${kind}Reference`)) {
        const relationship = relationships.get(attributes.id ?? "");
        if (relationship?.isExternal === false)
          this.#paths.set(`${kind} ${attributes.type ?? "default"}`, relationship.target);
      }
  }

  #options(properties: XmlElement | undefined, { width, height, left, right }: PageLayout): string {
    const start = Number(child(properties, "pgNumType")?.attributes.start ?? Number.NaN);
    const options = [
      `headers: ${this.#writeParts("header", width - left - right, height)}`,
      `footers: ${this.#writeParts("footer", width - left - right, height)}`,
      ...(isOn(properties, "titlePg") ? ["has-first: true"] : []),
      ...(this.#hasEvenPages ? ["has-even: true"] : []),
      ...(Number.isSafeInteger(start) ? [`start: ${start}`] : []),
    ];
    return options.join(", ");
  }

  /** Writes the headers or footers by kind of page, as functions of the page. */
  #writeParts(kind: "header" | "footer", width: number, pageHeight: number): string {
    const parts = ["default", "first", "even"].flatMap((type) => {
      const path = this.#paths.get(`${kind} ${type}`);
      const root = path === undefined ? undefined : this.#file.readPart(path);
      if (path === undefined || !root) return [];
      const story = createStory(this.#story, "header", this.#file.relationshipsOf(path));
      const blocks = readBlocks(elementsOf(root), topLevelContext(story, width, pageHeight * 0.3));
      return [`${type}: env => {\n${blocks.join("\n")}\n}`];
    });
    return `(${parts.join(", ") || ":"})`;
  }
}

/** Writes the body by section. A section ends with the paragraph that has its properties. */
export function writeSections(file: DocxPackage, body: XmlElement, story: DocxStory): string {
  const reader = new SectionReader(file, story);
  let pending: XmlElement[] = [];
  for (const element of elementsOf(body)) {
    if (element.name === "sectPr") continue;
    pending.push(element);
    const properties = child(child(element, "pPr"), "sectPr");
    if (!properties) continue;
    reader.add(pending, properties);
    pending = [];
  }
  if (pending.length > 0 || reader.sections.length === 0) reader.add(pending, child(body, "sectPr"));
  return reader.sections
    .map((section, at, { length }) => {
      const layout = Object.entries(section.layout).map(([name, value]) => `${name}: ${points(value)}`);
      const name = quote(`section ${at + 1}`);
      return `#section(${name}, is-last: ${at === length - 1}, ${layout.join(", ")}, ${section.options}, {\n${section.blocks.join("\n")}\n})\n`;
    })
    .join("");
}
