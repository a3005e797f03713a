/** The styles of a document, each with what it is based on. */
import type { Package } from "./package.js";
import { type ParagraphStyle, readParagraphStyle } from "./paragraph-style.js";
import { type RunStyle, readRunStyle, type ThemeFonts } from "./run-style.js";
import { child, children, find, isTrue, valOf, type XmlElement } from "./xml.js";

export interface Style {
  run: RunStyle;
  paragraph: ParagraphStyle;
  /** For tables: the `w:style` elements, the nearest first. */
  sources: readonly XmlElement[];
}

const nothing: Style = { run: {}, paragraph: {}, sources: [] };
/** Styles based on one another in a circle, and chains longer than anybody's, end here. */
const longestChain = 32;

function readThemeFonts(file: Package): ThemeFonts {
  const theme = file.related("theme");
  const fontOf = (kind: string): string | undefined => {
    const [scheme] = theme ? find(theme, `a:${kind}Font`) : [];
    return child(scheme, "a:latin")?.attributes.typeface || undefined;
  };
  return { major: fontOf("major"), minor: fontOf("minor") };
}

export class Styles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #resolved = new Map<string, Style>();
  readonly #defaults = new Map<string, string>();
  readonly themeFonts: ThemeFonts;
  /** What holds where no style says otherwise. */
  readonly base: Style;

  constructor(file: Package) {
    const root = file.related("styles");
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

  /** The style of the id, or the one that its kind has by default. */
  get(kind: "paragraph" | "character" | "table", id: string | undefined): Style {
    const known = id !== undefined && this.#elements.has(id) ? id : this.#defaults.get(kind);
    if (known === undefined) return nothing;
    let style = this.#resolved.get(known);
    if (!style) {
      style = this.#resolve(known);
      this.#resolved.set(known, style);
    }
    return style;
  }

  #resolve(id: string): Style {
    const chain: XmlElement[] = [];
    for (let next: string | undefined = id; next !== undefined && chain.length < longestChain; ) {
      const element = this.#elements.get(next);
      if (!element || chain.includes(element)) break;
      chain.push(element);
      next = valOf(element, "w:basedOn");
    }
    const run: RunStyle = {};
    const paragraph: ParagraphStyle = {};
    for (const one of chain.toReversed()) {
      Object.assign(run, readRunStyle(child(one, "w:rPr"), this.themeFonts));
      Object.assign(paragraph, readParagraphStyle(child(one, "w:pPr")), headingOf(one, paragraph));
    }
    return { run, paragraph, sources: chain };
  }
}

/** Built-in headings are headings whether their style says the level or not. */
function headingOf(style: XmlElement, below: ParagraphStyle): ParagraphStyle {
  const [, level] = /^heading ([1-9])$/i.exec(valOf(style, "w:name") ?? "") ?? [];
  const own = valOf(child(style, "w:pPr"), "w:outlineLvl");
  if (own !== undefined || level === undefined) return {};
  return { outline: below.outline ?? Number(level) - 1 };
}
