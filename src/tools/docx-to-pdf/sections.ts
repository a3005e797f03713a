/** Sections: pages of one size, with their header and footer. */
import { Blocks, readBlocks } from "./blocks.js";
import { heightOf } from "./heights.js";
import type { Node } from "./nodes.js";
import type { Package } from "./package.js";
import { clamp, isOn, pointsOf } from "./run-style.js";
import { placeOf, type Sources, type Story, storyOf } from "./story.js";
import { child, children, elementsOf, type XmlElement } from "./xml.js";

type OnPage = (page: number, pages: number) => object | null;

export interface Section {
  section: Node[];
  pageSize: { width: number; height: number };
  pageMargins: { left: number; top: number; right: number; bottom: number };
  header: OnPage;
  footer: OnPage;
}

interface Frame {
  width: number;
  height: number;
  margins: Section["pageMargins"];
  /** From the paper's edge. */
  headerAt: number;
  footerAt: number;
}

/** Paper between a stamp and a wall; Word allows 22 inches. */
const shortest = 72;
const longest = 2_000;

function frameOf(properties: XmlElement | undefined): Frame {
  const size = child(properties, "w:pgSz")?.attributes;
  const told = child(properties, "w:pgMar")?.attributes;
  // US Letter is what Word takes where a file says nothing.
  const width = clamp(pointsOf(size?.["w:w"]) ?? 612, shortest, longest);
  const height = clamp(pointsOf(size?.["w:h"]) ?? 792, shortest, longest);
  const margin = (side: string, most: number): number =>
    clamp(Math.abs(pointsOf(told?.[`w:${side}`]) ?? 72), 0, most);
  const left = margin("left", width * 0.4) + clamp(pointsOf(told?.["w:gutter"]) ?? 0, 0, 100);
  return {
    width,
    height,
    margins: {
      left,
      top: margin("top", height * 0.4),
      right: margin("right", width * 0.4),
      bottom: margin("bottom", height * 0.4),
    },
    headerAt: clamp(pointsOf(told?.["w:header"]) ?? 36, 0, height * 0.3),
    footerAt: clamp(pointsOf(told?.["w:footer"]) ?? 36, 0, height * 0.3),
  };
}

type Kind = "header" | "footer";
/** Paths of the parts by kind and page: default, first, even. */
type Parts = Readonly<Record<string, string>>;

/** What a section does not say it takes from the one before. */
function partsOf(properties: XmlElement | undefined, file: Package, before: Parts): Parts {
  const parts: Record<string, string> = { ...before };
  for (const kind of ["header", "footer"] as const)
    for (const { attributes } of children(properties, `w:${kind}Reference`)) {
      const relation = file.relationsOf(file.main).get(attributes["r:id"] ?? "");
      if (relation && !relation.isExternal)
        parts[`${kind} ${attributes["w:type"] ?? "default"}`] = relation.target;
    }
  return parts;
}

export class Sections {
  readonly done: Section[] = [];
  readonly #file: Package;
  readonly #sources: Sources;
  readonly #hasEvenPages: boolean;
  readonly #elements = new Map<string, XmlElement | undefined>();
  #parts: Parts = {};

  constructor(file: Package, sources: Sources) {
    this.#file = file;
    this.#sources = sources;
    this.#hasEvenPages = isOn(file.related("settings"), "w:evenAndOddHeaders") ?? false;
  }

  /** Reads the body section by section: each ends with the paragraph that bears its properties. */
  read(body: XmlElement, story: Story): void {
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
    if (pending.length > 0 || this.done.length === 0) this.#add(pending, last, story);
  }

  #add(elements: readonly XmlElement[], properties: XmlElement | undefined, story: Story): void {
    this.#parts = partsOf(properties, this.#file, this.#parts);
    const frame = frameOf(properties);
    const width = frame.width - frame.margins.left - frame.margins.right;
    const header = this.#repeated("header", this.#parts, properties, frame, width);
    const footer = this.#repeated("footer", this.#parts, properties, frame, width);
    const { margins } = frame;
    // A header that is higher than its margin pushes the text down.
    margins.top = Math.max(margins.top, Math.min(header.height + frame.headerAt, frame.height * 0.4));
    margins.bottom = Math.max(margins.bottom, Math.min(footer.height + frame.footerAt, frame.height * 0.4));
    const height = frame.height - margins.top - margins.bottom;
    const blocks = new Blocks(placeOf(story, width, height - 20));
    for (const element of elements) blocks.read(element);
    const nodes = blocks.take();
    const isContinuous = child(properties, "w:type")?.attributes["w:val"] === "continuous";
    const before = this.done.at(-1);
    if (isContinuous && before && isSamePaper(before, frame)) before.section.push(...nodes);
    else
      this.done.push({
        section: nodes,
        pageSize: { width: frame.width, height: frame.height },
        pageMargins: margins,
        header: header.draw,
        footer: footer.draw,
      });
  }

  /** The header or footer of each page, read anew for its numbers, and how high it is. */
  #repeated(kind: Kind, parts: Parts, properties: XmlElement | undefined, frame: Frame, width: number) {
    const hasFirst = isOn(properties, "w:titlePg") ?? false;
    const start = Number(child(properties, "w:pgNumType")?.attributes["w:start"] ?? Number.NaN);
    let firstPage: number | null = null;
    const read = (page: number, pages: number, type: string): Node[] => {
      const path = parts[`${kind} ${type}`];
      if (path === undefined) return [];
      const story = storyOf({ ...this.#sources, anchors: null }, this.#file.relationsOf(path), {
        page,
        pages,
      });
      const root = this.#elementOf(path);
      return root ? readBlocks(root, placeOf(story, width, frame.height * 0.3)) : [];
    };
    const draw: OnPage = (page, pages) => {
      firstPage ??= page;
      const number = Number.isNaN(start) ? page : start + page - firstPage;
      const isEven = this.#hasEvenPages && number % 2 === 0;
      const nodes = read(
        number,
        pages,
        hasFirst && page === firstPage ? "first" : isEven ? "even" : "default",
      );
      if (nodes.length === 0) return null;
      const { left, right, bottom } = frame.margins;
      const top =
        kind === "header" ? frame.headerAt : Math.max(0, bottom - frame.footerAt - heightOf(nodes, width));
      return { stack: nodes, margin: [left, top, right, 0] };
    };
    return { draw, height: heightOf(read(1, 1, "default"), width) };
  }

  #elementOf(path: string): XmlElement | undefined {
    if (!this.#elements.has(path)) this.#elements.set(path, this.#file.part(path));
    return this.#elements.get(path);
  }
}

const isSamePaper = ({ pageSize }: Section, frame: Frame): boolean =>
  pageSize.width === frame.width && pageSize.height === frame.height;
