/** Resolves the styles of a document with the styles that they are based on. */
import type { DocxPackage } from "./docx-package.js";
import { type ParagraphStyle, readParagraphStyle } from "./paragraph-style.js";
import { type RunStyle, readRunStyle, type ThemeFonts } from "./run-style.js";
import { child, children, findElement, isTrue, valOf, type XmlElement } from "./xml.js";

export interface Style {
  run: RunStyle;
  paragraph: ParagraphStyle;
  /** The `w:style` elements of a table style, most specific first. */
  sources: readonly XmlElement[];
}

const emptyStyle: Style = { run: {}, paragraph: {}, sources: [] };
/** Limits chains of styles, which may also be circular. */
const maxStyleChain = 32;

function readThemeFonts(file: DocxPackage): ThemeFonts {
  const theme = file.readRelated("theme");
  const fontOf = (kind: string): string | undefined => {
    const [scheme] = theme ? findElement(theme, `a:${kind}Font`) : [];
    return child(scheme, "a:latin")?.attributes.typeface || undefined;
  };
  return { major: fontOf("major"), minor: fontOf("minor") };
}

export class Styles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #resolved = new Map<string, Style>();
  readonly #defaults = new Map<string, string>();
  readonly themeFonts: ThemeFonts;
  /** The document defaults. */
  readonly base: Style;

  constructor(file: DocxPackage) {
    const root = file.readRelated("styles");
    this.themeFonts = readThemeFonts(file);
    for (const style of children(root, "w:style")) {
      const id = style.attributes["w:styleId"];
      if (id === undefined) continue;
      this.#elements.set(id, style);
      if (isTrue(style.attributes["w:default"])) this.#defaults.set(style.attributes["w:type"] ?? "", id);
    }
    const defaults = child(root, "w:docDefaults");
    this.base = {
      run: readRunStyle(child(child(defaults, "w:rPrDefault"), "w:rPr"), this.themeFonts),
      paragraph: readParagraphStyle(child(child(defaults, "w:pPrDefault"), "w:pPr")),
      sources: [],
    };
  }

  /** Returns a style by id, or the default style of its kind. */
  get(kind: "paragraph" | "character" | "table", id: string | undefined): Style {
    const known = id !== undefined && this.#elements.has(id) ? id : this.#defaults.get(kind);
    if (known === undefined) return emptyStyle;
    let style = this.#resolved.get(known);
    if (!style) {
      style = this.#resolve(known);
      this.#resolved.set(known, style);
    }
    return style;
  }

  #resolve(id: string): Style {
    const chain: XmlElement[] = [];
    for (let next: string | undefined = id; next !== undefined && chain.length < maxStyleChain; ) {
      const element = this.#elements.get(next);
      if (!element || chain.includes(element)) break;
      chain.push(element);
      next = valOf(element, "w:basedOn");
    }
    const run: RunStyle = {};
    const paragraph: ParagraphStyle = {};
    for (const one of chain.toReversed()) {
      Object.assign(run, readRunStyle(child(one, "w:rPr"), this.themeFonts));
      Object.assign(paragraph, readParagraphStyle(child(one, "w:pPr")), builtInHeading(one, paragraph));
    }
    return { run, paragraph, sources: chain };
  }
}

/** Returns the outline level of a built-in heading style that does not declare one. */
function builtInHeading(style: XmlElement, below: ParagraphStyle): ParagraphStyle {
  const [, level] = /^heading ([1-9])$/i.exec(valOf(style, "w:name") ?? "") ?? [];
  const own = valOf(child(style, "w:pPr"), "w:outlineLvl");
  if (own !== undefined || level === undefined) return {};
  return { outline: below.outline ?? Number(level) - 1 };
}
