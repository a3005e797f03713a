/** Reads the contents of a paragraph and writes them as Typst code: text, breaks, links, fields, notes and pictures. */
import { type DrawnPicture, findPictures, noteUndrawn } from "./pictures.js";
import { type BlockContext, createStory, type DocxStory } from "./story.js";
import { type RunStyle, readRunStyle } from "./styles.js";
import { points, quote, type StyledText, wordWidths, writeText } from "./text.js";
import { child, elementsOf, findElement, textOf, valOf, type XmlElement } from "./xml.js";

/** A part of a paragraph. A link is the start of a call whose last argument is the linked code. */
type Inline = { link: string } & (
  | ({ kind: "text" } & StyledText)
  | { kind: "code"; code: string }
  | { kind: "tab" | "line-break" | "page-break" }
);

/** Protocols that are safe to open from a PDF, in addresses that are not longer than Typst allows. */
const safeLink = /^(?:https?|mailto|tel|ftp):.{0,4000}$/is;

const toLink = (address: string | undefined, anchor: string | undefined): string => {
  if (address && safeLink.test(address)) return `link(${quote(address)}, `;
  return anchor ? `jump(${quote(bookmarkName(anchor))}, ` : "";
};

export const bookmarkName = (name: string): string => `bookmark ${name}`;

class InlineReader {
  readonly inlines: Inline[] = [];
  readonly boxes: XmlElement[] = [];
  readonly #story: DocxStory;
  readonly #context: BlockContext;
  readonly #base: RunStyle;
  #link = "";

  constructor(context: BlockContext, base: RunStyle) {
    this.#context = context;
    this.#story = context.story;
    this.#base = base;
  }

  readAll(parent: XmlElement): void {
    for (const inner of elementsOf(parent)) this.#read(inner);
  }

  #read(element: XmlElement): void {
    const { attributes } = element;
    switch (element.name) {
      case "r":
        return this.#readRun(element);
      case "hyperlink": {
        const relationship = this.#story.relationships.get(attributes.id ?? "");
        const address = relationship?.isExternal ? relationship.target : undefined;
        return this.#withLink(toLink(address, attributes.anchor), () => this.readAll(element));
      }
      case "fldSimple":
        this.#story.fields.push({ code: attributes.instr ?? "", isResult: true });
        this.#addComputed(this.#base);
        this.readAll(element);
        this.#story.fields.pop();
        return;
      case "bookmarkStart":
        if (attributes.name) this.#addTarget(attributes.name);
        return;
      case "oMath":
        if (hasLayout(element)) this.#story.report.leaveOut("equation", element);
        return this.readAll(element);
      // Properties and deleted text.
      case "pPr":
      case "sdtPr":
      case "del":
      case "moveFrom":
        return;
      case "AlternateContent":
        return this.readAll(chooseAlternate(element));
      default:
        return this.readAll(element);
    }
  }

  #readRun(run: XmlElement): void {
    const properties = child(run, "rPr");
    const { styles } = this.#story;
    const styleId = valOf(properties, "rStyle");
    const named = styleId === undefined ? {} : styles.get("character", styleId).run;
    const style = { ...this.#base, ...named, ...readRunStyle(properties, styles.themeFonts) };
    for (const piece of elementsOf(run)) this.#readPiece(piece, style);
  }

  #readPiece(element: XmlElement, style: RunStyle): void {
    const { attributes } = element;
    switch (element.name) {
      case "t":
        return this.add(textOf(element).replace(/[\r\n]+/g, " "), style);
      case "tab":
      case "ptab":
        return this.add("\t", style);
      case "br":
        if (attributes.type === "page") return this.#push({ kind: "page-break" });
        return this.#push({ kind: "line-break" });
      case "cr":
        return this.#push({ kind: "line-break" });
      case "noBreakHyphen":
        return this.add("\u2011", style);
      case "sym": {
        const code = Number.parseInt(attributes.char ?? "", 16);
        if (!(code > 0 && code <= 0xffff)) return;
        return this.add(String.fromCharCode(code), { ...style, font: attributes.font ?? "" });
      }
      case "fldChar":
        return this.#readFieldMark(attributes.fldCharType, style);
      case "instrText": {
        const field = this.#story.fields.at(-1);
        if (field && !field.isResult) field.code += textOf(element);
        return;
      }
      case "footnoteReference":
        return this.#addNote("footnote", attributes.id ?? "", style);
      case "endnoteReference":
        return this.#addNote("endnote", attributes.id ?? "", style);
      case "drawing":
      case "pict":
      case "object":
        return this.#readDrawing(element);
      case "AlternateContent":
        for (const piece of elementsOf(chooseAlternate(element))) this.#readPiece(piece, style);
        return;
      case "ruby":
        return this.readAll(child(element, "rubyBase") ?? element);
      default:
        return;
    }
  }

  /** Adds a footnote, whose paragraphs are its lines. */
  #addNote(kind: "footnote" | "endnote", id: string, style: RunStyle): void {
    const { notes, styles, text } = this.#story;
    const note = notes.refer(kind, id);
    if (!note) return;
    if (!note.isFirst || this.#story.kind !== "body")
      return this.add(String(note.number), { ...style, vertical: "super" });
    const story = createStory(this.#story, "note", note.relationships);
    const lines = [...findElement(note.element, "p")].map((paragraph) => {
      const named = styles.get("paragraph", valOf(child(paragraph, "pPr"), "pStyle")).run;
      const reader = new InlineReader({ ...this.#context, story }, { ...styles.base.run, ...named });
      reader.readAll(paragraph);
      return writeInlines(reader.inlines, "h(12pt)", this.#context.width);
    });
    this.#addCode(`${text.lookOf(style, undefined)}(footnote({ ${lines.join("\nlinebreak()\n")} }))`);
  }

  #addTarget(name: string): void {
    // A target in a header would be drawn on each page.
    if (this.#story.kind === "body") this.#addCode(`target(${quote(bookmarkName(name))})`);
  }

  #readFieldMark(mark: string | undefined, style: RunStyle): void {
    const { fields } = this.#story;
    if (mark === "begin") fields.push({ code: "", isResult: false });
    const field = fields.at(-1);
    if (mark === "begin" || !field) return;
    const hasResult = field.isResult;
    field.isResult = true;
    if (!hasResult) this.#addComputed(style);
    if (mark === "end") fields.pop();
  }

  /** Adds the number of the innermost field, instead of the result that Word has stored. */
  #addComputed(style: RunStyle): void {
    const { fields, kind, text } = this.#story;
    const computed = computedNumber(fields.at(-1)?.code ?? "");
    const isInside = fields.slice(0, -1).every(({ isResult }) => isResult);
    if (kind === "header" && computed && isInside)
      this.inlines.push({
        kind: "code",
        code: `${text.lookOf(style, this.#context.background)}(str(env.${computed}))`,
        link: this.#link,
      });
  }

  /** Returns whether text is shown here: outside field codes and the results of computed fields. */
  #isShown(): boolean {
    const { fields, kind } = this.#story;
    return fields.every(({ code, isResult }) => isResult && !(kind === "header" && computedNumber(code)));
  }

  #readDrawing(element: XmlElement): void {
    if (!this.#isShown()) return;
    noteUndrawn(element, this.#story.report);
    for (const picture of findPictures(element, this.#story)) this.#addPicture(picture);
    this.boxes.push(...findElement(element, "txbxContent"));
  }

  #addPicture({ path, alt, crop, rotation, mirrored, ...size }: DrawnPicture): void {
    if (path === null)
      return this.add(`[${alt || "Picture"}]`, { ...this.#base, italics: true, color: "#666666" });
    const { width, height } = this.#context;
    // A rotated picture must fit in any orientation.
    const room =
      rotation === 0
        ? { width, height }
        : { width: Math.min(width, height), height: Math.min(width, height) };
    const scale = Math.min(1, room.width / size.width, room.height / size.height);
    const sides = [size.width, size.height].map((side) => points(Math.max(1, side * scale)));
    const turn = `(${rotation}deg, ${mirrored.map((is) => (is ? "-100%" : "100%")).join(", ")})`;
    this.#addCode(
      `picture("${path}", ${sides.join(", ")}, ${alt ? quote(alt) : "none"}, (${crop.join(", ")}), ${turn})`,
    );
  }

  add(text: string, style: RunStyle): void {
    for (const [at, part] of text.split("\t").entries()) {
      if (at > 0 && !style.hidden) this.#push({ kind: "tab" });
      for (const piece of this.#story.text.write(part, style, this.#context.background))
        this.#push({ kind: "text", ...piece });
    }
  }

  #addCode(code: string): void {
    this.#push({ kind: "code", code });
  }

  #push(inline: DistributiveOmit<Inline, "link">): void {
    if (this.#isShown()) this.inlines.push({ ...inline, link: this.#fieldLink() ?? this.#link } as Inline);
  }

  /** Returns the target of the innermost field that is a link. */
  #fieldLink(): string | undefined {
    const field = this.#story.fields.findLast(({ code }) => /^\s*(?:HYPERLINK|PAGEREF)\b/i.test(code));
    if (!field) return undefined;
    const words = (field.code.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ""));
    if (words[0]?.toUpperCase() === "PAGEREF") return toLink(undefined, words[1]);
    const anchor = words.includes("\\l") ? words[words.indexOf("\\l") + 1] : undefined;
    return toLink(anchor === undefined ? words[1] : undefined, anchor);
  }

  #withLink(link: string, act: () => void): void {
    const outer = this.#link;
    this.#link = link;
    act();
    this.#link = outer;
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Returns the number that a field shows, which headers and footers know. */
function computedNumber(code: string): "page" | "pages" | null {
  const [name] = code.trim().toUpperCase().split(/\s/);
  if (name === "PAGE") return "page";
  return name === "NUMPAGES" || name === "SECTIONPAGES" ? "pages" : null;
}

/** Fractions, roots and similar elements, whose parts are written one after the other. */
const layouts: ReadonlySet<string> = new Set("d f func m nary rad sPre sSub sSubSup sSup".split(" "));

const hasLayout = (element: XmlElement): boolean =>
  elementsOf(element).some((inner) => layouts.has(inner.name) || hasLayout(inner));

const displayedElements: readonly string[] = ["t", "blip", "imagedata", "txbxContent"];

const isDisplayed = (element: XmlElement): boolean =>
  displayedElements.includes(element.name) || elementsOf(element).some(isDisplayed);

/** Returns the choice for newer applications, or the fallback if the choice displays nothing. */
export function chooseAlternate(alternate: XmlElement): XmlElement {
  const [choice, fallback] = [child(alternate, "Choice"), child(alternate, "Fallback")];
  const isEmpty = !choice || !isDisplayed(choice);
  return (isEmpty ? fallback : choice) ?? choice ?? { ...alternate, children: [] };
}

/** Reads the contents of a paragraph. Text boxes are left to the caller. */
export function readInlines(
  paragraph: XmlElement,
  context: BlockContext,
  base: RunStyle,
  label: { text: string; run: RunStyle } | null,
): { inlines: Inline[]; boxes: XmlElement[] } {
  const reader = new InlineReader(context, base);
  if (label) reader.add(label.text, label.run);
  reader.readAll(paragraph);
  return reader;
}

/** Writes inlines as code, with `tab` for tabs. Texts of one style are joined, since Word splits text into many runs. */
export function writeInlines(inlines: readonly Inline[], tab: string, lineWidth: number): string {
  const joined: Inline[] = [];
  for (const inline of inlines) {
    const last = joined.at(-1);
    const isAlike =
      last?.kind === "text" &&
      inline.kind === "text" &&
      last.look === inline.look &&
      last.link === inline.link;
    if (isAlike) joined[joined.length - 1] = { ...last, text: last.text + inline.text };
    else joined.push(inline);
  }
  // Width of the letters since the last place at which the line can break.
  let unbroken = 0;
  const written = joined.map((inline) => {
    const code = `${inline.link}${writeInline(inline, tab, lineWidth)}${inline.link && ")"}`;
    const [first = 0, ...others] = inline.kind === "text" ? wordWidths(inline) : [];
    // A word of many short texts, such as an equation, can break between them.
    const breaks = unbroken > 0 && unbroken + first > lineWidth;
    unbroken = others.at(-1) ?? (breaks ? first : unbroken + first);
    if (inline.kind !== "text") unbroken = 0;
    return breaks ? `h(0.001pt)\n${code}` : code;
  });
  return written.join("\n");
}

function writeInline(inline: Inline, tab: string, lineWidth: number): string {
  switch (inline.kind) {
    case "text":
      return writeText(inline, lineWidth);
    case "code":
      return inline.code;
    case "tab":
      return tab;
    case "line-break":
      return "linebreak()";
    default:
      return "";
  }
}

/** Writes the text of a paragraph. In a hanging first line, the text before the first tab is a label. */
export function writeLines(
  inlines: readonly Inline[],
  first: number,
  endTab: string | undefined,
  lineWidth: number,
): string {
  const tab =
    endTab === undefined ? "h(24pt)" : endTab === "" ? "h(1fr)" : `box(width: 1fr, repeat(${quote(endTab)}))`;
  const at = inlines.findIndex(({ kind }) => kind === "tab" || kind === "line-break");
  if (first >= 0 || inlines[at]?.kind !== "tab") return writeInlines(inlines, tab, lineWidth);
  const label = writeInlines(inlines.slice(0, at), tab, lineWidth);
  return `label-of(${points(-first)}, { ${label} })\n${writeInlines(inlines.slice(at + 1), tab, lineWidth)}`;
}

export function splitAt(inlines: readonly Inline[], kind: Inline["kind"]): Inline[][] {
  const parts: Inline[][] = [[]];
  for (const inline of inlines)
    if (inline.kind === kind) parts.push([]);
    else parts.at(-1)?.push(inline);
  return parts;
}
