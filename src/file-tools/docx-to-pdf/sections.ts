/** Reads sections: ranges of pages with one page size, header and footer. */
import { BlockReader, readBlocks } from "./blocks.js";
import { measureHeight } from "./document-layout.js";
import type { DocxPackage } from "./docx-package.js";
import type { PdfNode } from "./nodes.js";
import { type PageLayout, readPageLayout } from "./page-layout.js";
import type { Pdf } from "./pdfmake.js";
import { isOn } from "./run-style.js";
import { createStory, type DocumentParts, type DocxStory, topLevelContext } from "./story.js";
import { child, children, elementsOf, type XmlElement } from "./xml.js";

type DrawOnPage = (page: number, pages: number) => object | null;

export interface PageSection {
  section: PdfNode[];
  pageSize: { width: number; height: number };
  pageMargins: PageLayout["margins"];
  header: DrawOnPage;
  footer: DrawOnPage;
}

/** Share of the page's height that headers and footers leave to the text. */
const minBodyShare = 0.15;

type HeaderFooterKind = "header" | "footer";
/** Part paths by kind and type of page (default, first or even), such as "header first". */
type HeaderFooterPaths = Readonly<Record<string, string>>;

/** Reads the section's headers and footers. Missing ones are inherited from the previous section. */
function headerFooterPaths(
  properties: XmlElement | undefined,
  file: DocxPackage,
  inherited: HeaderFooterPaths,
): HeaderFooterPaths {
  const paths: Record<string, string> = { ...inherited };
  for (const kind of ["header", "footer"] as const)
    for (const { attributes } of children(properties, `w:${kind}Reference`)) {
      const relationship = file.relationshipsOf(file.mainPath).get(attributes["r:id"] ?? "");
      if (relationship && !relationship.isExternal)
        paths[`${kind} ${attributes["w:type"] ?? "default"}`] = relationship.target;
    }
  return paths;
}

export class SectionReader {
  readonly sections: PageSection[] = [];
  readonly #file: DocxPackage;
  readonly #documentParts: DocumentParts;
  readonly #pdf: Pdf;
  readonly #hasEvenPages: boolean;
  readonly #elements = new Map<string, XmlElement | undefined>();
  #paths: HeaderFooterPaths = {};

  constructor(file: DocxPackage, parts: DocumentParts, pdf: Pdf) {
    this.#file = file;
    this.#pdf = pdf;
    this.#documentParts = parts;
    this.#hasEvenPages = isOn(file.readRelated("settings"), "w:evenAndOddHeaders") ?? false;
  }

  /** Reads the body by section. A section ends with the paragraph that has its properties. */
  read(body: XmlElement, story: DocxStory): void {
    let pending: XmlElement[] = [];
    for (const element of elementsOf(body)) {
      if (element.name === "w:sectPr") continue;
      pending.push(element);
      const properties = child(child(element, "w:pPr"), "w:sectPr");
      if (!properties) continue;
      this.#add(pending, properties, story);
      pending = [];
    }
    const last = child(body, "w:sectPr");
    if (pending.length > 0 || this.sections.length === 0) this.#add(pending, last, story);
  }

  #add(elements: readonly XmlElement[], properties: XmlElement | undefined, story: DocxStory): void {
    this.#paths = headerFooterPaths(properties, this.#file, this.#paths);
    const layout = readPageLayout(properties);
    const width = layout.width - layout.margins.left - layout.margins.right;
    const header = this.#headerOrFooter("header", this.#paths, properties, layout, width);
    const footer = this.#headerOrFooter("footer", this.#paths, properties, layout, width);
    const { margins } = layout;
    // A header higher than the margin pushes the text down.
    margins.bottom = Math.max(margins.bottom, Math.min(footer.height + layout.footerAt, layout.height * 0.4));
    const highestTop = layout.height * (1 - minBodyShare) - margins.bottom;
    margins.top = Math.max(margins.top, Math.min(header.height + layout.headerAt, highestTop));
    const firstTop = Math.min(header.firstHeight + layout.headerAt, highestTop);
    const height = layout.height - margins.top - margins.bottom;
    const blocks = new BlockReader(topLevelContext(story, width, height - 20));
    for (const element of elements) blocks.read(element);
    const nodes = blocks.take();
    const isContinuous = child(properties, "w:type")?.attributes["w:val"] === "continuous";
    const previous = this.sections.at(-1);
    if (isContinuous && previous && hasSamePageSize(previous, layout)) previous.section.push(...nodes);
    else
      this.sections.push({
        section: [{ stack: [], margin: [0, Math.max(0, firstTop - margins.top), 0, 0] }, ...nodes],
        pageSize: { width: layout.width, height: layout.height },
        pageMargins: margins,
        header: header.draw,
        footer: footer.draw,
      });
  }

  /**
   * Returns the height of the header or footer, on the first page as well if it differs, and a function that reads it
   * for each page, with its page number. A footer grows on all pages, because text below it cannot be moved up on one.
   */
  #headerOrFooter(
    kind: HeaderFooterKind,
    paths: HeaderFooterPaths,
    properties: XmlElement | undefined,
    layout: PageLayout,
    width: number,
  ) {
    const hasFirst = isOn(properties, "w:titlePg") ?? false;
    const start = Number(child(properties, "w:pgNumType")?.attributes["w:start"] ?? Number.NaN);
    let firstPage: number | null = null;
    const read = (page: number, pages: number, type: string): PdfNode[] => {
      const path = paths[`${kind} ${type}`];
      if (path === undefined) return [];
      const story = createStory(
        { ...this.#documentParts, linkTargets: null },
        this.#file.relationshipsOf(path),
        {
          page,
          pages,
        },
      );
      const root = this.#elementOf(path);
      return root ? readBlocks(root, topLevelContext(story, width, layout.height * 0.3)) : [];
    };
    const heightOf = (type: string, page = 1, pages = 1): number =>
      measureHeight(read(page, pages, type), width, this.#pdf);
    const draw: DrawOnPage = (page, pages) => {
      firstPage ??= page;
      const number = Number.isNaN(start) ? page : start + page - firstPage;
      const isEven = this.#hasEvenPages && number % 2 === 0;
      const type = hasFirst && page === firstPage ? "first" : isEven ? "even" : "default";
      const nodes = read(number, pages, type);
      if (nodes.length === 0) return null;
      const { left, right } = layout.margins;
      // Layout changes the nodes, so they are measured on a copy.
      const footerTop = (): number =>
        Math.max(0, layout.height - layout.footerAt - heightOf(type, number, pages));
      const top = kind === "header" ? layout.headerAt : footerTop();
      return { stack: nodes, margin: [left, top, right, 0] };
    };
    const heights = (types: readonly string[]): number => Math.max(...types.map((type) => heightOf(type)));
    const onAll = this.#hasEvenPages ? ["default", "even"] : ["default"];
    const onFirst = hasFirst ? ["first"] : [];
    return {
      draw,
      height: heights(kind === "footer" ? [...onAll, ...onFirst] : onAll),
      firstHeight: heights(onFirst.length > 0 ? onFirst : onAll),
    };
  }

  #elementOf(path: string): XmlElement | undefined {
    if (!this.#elements.has(path)) this.#elements.set(path, this.#file.readPart(path));
    return this.#elements.get(path);
  }
}

const hasSamePageSize = ({ pageSize }: PageSection, layout: PageLayout): boolean =>
  pageSize.width === layout.width && pageSize.height === layout.height;
