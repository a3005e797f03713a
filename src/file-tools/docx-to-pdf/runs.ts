/** Reads the contents of a paragraph: styled text, tabs, breaks, links, fields, notes and pictures. */
import { type Drawing, noteUndrawn, readDrawings } from "./drawings.js";
import type { Hyperlink, Item } from "./nodes.js";
import {
  type BlockContext,
  createStory,
  type DocxStory,
  type FieldMeaning,
  type NoteKind,
  targetOf,
  topLevelContext,
} from "./story.js";
import { type RunStyle, readRunStyle } from "./styles.js";
import { child, elementsOf, textOf, valOf, type XmlElement } from "./xml.js";

export type ParagraphItem = Item | Drawing | { kind: "tab"; look: number } | { kind: "page-break" };

const noLink: Hyperlink = { link: null, target: null };

/** Protocols that are safe to open from a PDF. */
const safeLinkProtocol = /^(?:https?|mailto|tel|ftp):/i;

class RunReader {
  readonly items: ParagraphItem[] = [];
  readonly #story: DocxStory;
  readonly #context: BlockContext;
  readonly #base: RunStyle;
  #link = noLink;

  constructor(context: BlockContext, base: RunStyle) {
    this.#context = context;
    this.#story = context.story;
    this.#base = base;
  }

  readAll(parent: XmlElement): void {
    for (const one of elementsOf(parent)) this.#read(one);
  }

  #read(element: XmlElement): void {
    switch (element.name) {
      case "w:r":
        return this.#readRun(element);
      case "w:hyperlink":
        return this.#withLink(this.#readHyperlink(element), element);
      case "w:fldSimple":
        return this.#readSimpleField(element);
      case "w:sdt":
        return this.readAll(child(element, "w:sdtContent") ?? element);
      case "m:t":
        return this.#add(textOf(element), this.#base);
      case "m:oMath":
        if (hasLayout(element)) this.#story.report.leaveOut("equation", element);
        return this.readAll(element);
      // Paragraph properties and deleted text.
      case "w:pPr":
      case "w:del":
      case "w:moveFrom":
        return;
      case "mc:AlternateContent":
        return this.readAll(chooseAlternate(element));
      default:
        return this.readAll(element);
    }
  }

  #readRun(run: XmlElement): void {
    const properties = child(run, "w:rPr");
    const { styles } = this.#story;
    const styleId = valOf(properties, "w:rStyle");
    const named = styleId === undefined ? {} : styles.get("character", styleId).run;
    const style = { ...this.#base, ...named, ...readRunStyle(properties, styles.themeFonts) };
    for (const one of elementsOf(run)) this.#readPiece(one, style);
  }

  #readPiece(element: XmlElement, style: RunStyle): void {
    const { fields } = this.#story;
    switch (element.name) {
      case "w:t":
        return this.#addText(textOf(element), style);
      case "w:tab":
      case "w:ptab":
        return this.#addTab(style);
      case "w:br":
        return this.#readBreak(element, style);
      case "w:cr":
        return this.#add("\n", style);
      case "w:noBreakHyphen":
        return this.#add("\u2011", style);
      case "w:sym":
        return this.#readSymbol(element, style);
      case "w:fldChar":
        return this.#readFieldMark(element, style);
      case "w:instrText":
        return fields.addCode(textOf(element));
      case "w:footnoteReference":
        return this.#readNoteReference("footnote", element, style);
      case "w:endnoteReference":
        return this.#readNoteReference("endnote", element, style);
      case "w:footnoteRef":
      case "w:endnoteRef":
        return this.#add(this.#story.noteMark, style);
      case "w:drawing":
      case "w:pict":
      case "w:object":
        return this.#readDrawing(element);
      case "mc:AlternateContent":
        for (const one of elementsOf(chooseAlternate(element))) this.#readPiece(one, style);
        return;
      case "w:ruby":
        return this.readAll(child(element, "w:rubyBase") ?? element);
      default:
        return;
    }
  }

  #readBreak({ attributes }: XmlElement, style: RunStyle): void {
    if (attributes["w:type"] === "page") this.items.push({ kind: "page-break" });
    else this.#add("\n", style);
  }

  #readDrawing(element: XmlElement): void {
    if (!this.#isShown()) return;
    noteUndrawn(element, this.#story.report);
    for (const drawing of readDrawings(element, this.#story, this.#currentLink())) this.items.push(drawing);
  }

  #readSymbol({ attributes }: XmlElement, style: RunStyle): void {
    const code = Number.parseInt(attributes["w:char"] ?? "", 16);
    if (code > 0 && code <= 0xffff)
      this.#add(String.fromCharCode(code), { ...style, font: attributes["w:font"] ?? "" });
  }

  #readNoteReference(kind: NoteKind, { attributes }: XmlElement, style: RunStyle): void {
    const { kind: story, notes } = this.#story;
    const reference = notes.reference(kind, attributes["w:id"] ?? "");
    if (!reference) return;
    const { note, isFirst } = reference;
    if (kind === "footnote" && isFirst && story === "body")
      this.#addFootnote(note.element, note.relationships, style);
    else if (kind === "footnote") this.#add(note.mark, { ...style, vertical: "sup" });
    else
      this.#withLink({ link: null, target: note.name }, null, () =>
        this.#add(note.mark, { ...style, vertical: "sup" }),
      );
  }

  /** Adds a footnote, whose first paragraph stands beside its mark. */
  #addFootnote(element: XmlElement, relationships: DocxStory["relationships"], style: RunStyle): void {
    const story = createStory(this.#story, "note", relationships);
    const [first, ...others] = story.readBlocks(element, topLevelContext(story, noteWidth, noteHeight));
    const isText = first?.kind === "paragraph";
    // Tabs have no place beside the mark.
    const items = isText ? (first.lines?.flat().flatMap((part) => part.items) ?? first.items) : [];
    const blocks = isText || !first ? others : [first, ...others];
    this.items.push({ kind: "footnote", look: this.#story.texts.look(style), items, blocks });
  }

  #readFieldMark({ attributes }: XmlElement, style: RunStyle): void {
    const { fields } = this.#story;
    const mark = attributes["w:fldCharType"];
    if (mark === "begin") return fields.begin();
    const isShown = mark === "separate" ? fields.isShownOutside((one) => this.#isComputed(one)) : true;
    const meaning = mark === "separate" ? fields.separate() : fields.end();
    if (isShown) this.#addComputed(meaning, style);
  }

  #readSimpleField(element: XmlElement): void {
    const { fields } = this.#story;
    fields.begin();
    fields.addCode(element.attributes["w:instr"] ?? "");
    this.#addComputed(fields.separate(), this.#base);
    this.readAll(element);
    fields.end();
  }

  /** Returns whether the field's value is computed here, instead of showing Word's last result. */
  #isComputed(meaning: FieldMeaning): boolean {
    if (meaning?.kind === "page" || meaning?.kind === "pages") return this.#story.kind === "header";
    return meaning?.kind === "pageOf" && this.#story.bookmarks.names.has(meaning.anchor);
  }

  #addComputed(meaning: FieldMeaning, style: RunStyle): void {
    if (!meaning || !this.#isComputed(meaning)) return;
    const look = this.#story.texts.look(style, this.#context.background);
    if (meaning.kind === "page" || meaning.kind === "pages") this.items.push({ kind: meaning.kind, look });
    else if (meaning.kind === "pageOf")
      this.items.push({ kind: "page-of", look, link: null, target: targetOf(meaning.anchor) });
  }

  #isShown(): boolean {
    return this.#story.fields.isShown((meaning) => this.#isComputed(meaning));
  }

  /** Adds text, in which line ends count as spaces and tab characters as tabs. */
  #addText(text: string, style: RunStyle): void {
    for (const [at, piece] of text
      .replace(/[\r\n]+/g, " ")
      .split("\t")
      .entries()) {
      if (at > 0) this.#addTab(style);
      this.#add(piece, style);
    }
  }

  #add(text: string, style: RunStyle): void {
    if (!this.#isShown()) return;
    const link = this.#currentLink();
    for (const item of this.#story.texts.create(text, style, this.#context))
      this.items.push(item.kind === "text" ? { ...item, ...link } : item);
  }

  #addTab(style: RunStyle): void {
    if (this.#isShown() && !style.hidden)
      this.items.push({ kind: "tab", look: this.#story.texts.look(style) });
  }

  #currentLink(): Hyperlink {
    const field = this.#story.fields.link();
    return field ? this.#toLink(field.address, field.anchor) : this.#link;
  }

  #readHyperlink({ attributes }: XmlElement): Hyperlink {
    const relationship = this.#story.relationships.get(attributes["r:id"] ?? "");
    return this.#toLink(relationship?.isExternal ? relationship.target : undefined, attributes["w:anchor"]);
  }

  #toLink(address: string | undefined, anchor: string | undefined): Hyperlink {
    if (address && safeLinkProtocol.test(address)) return { link: address, target: null };
    return { link: null, target: anchor ? targetOf(anchor) : null };
  }

  #withLink(link: Hyperlink, element: XmlElement | null, act = () => element && this.readAll(element)): void {
    const outer = this.#link;
    this.#link = link;
    act();
    this.#link = outer;
  }
}

/** Room of a footnote, which the template fits into its page. */
const noteWidth = 450;
const noteHeight = 400;

/** Fractions, roots and the like, whose parts are written one after the other. */
const layouts: ReadonlySet<string> = new Set("d f func m nary rad sPre sSub sSubSup sSup".split(" "));

const hasLayout = (element: XmlElement): boolean =>
  elementsOf(element).some((one) => layouts.has(one.name.slice("m:".length)) || hasLayout(one));

const displayedElements: readonly string[] = ["w:t", "a:blip", "v:imagedata", "w:txbxContent"];

const isDisplayed = (element: XmlElement): boolean =>
  displayedElements.includes(element.name) || elementsOf(element).some(isDisplayed);

/** Returns the choice for newer applications, or the fallback if the choice displays nothing. */
export function chooseAlternate(alternate: XmlElement): XmlElement {
  const [choice, fallback] = [child(alternate, "mc:Choice"), child(alternate, "mc:Fallback")];
  const isEmpty = !choice || !isDisplayed(choice);
  return (isEmpty ? fallback : choice) ?? choice ?? { ...alternate, children: [] };
}

export function readRuns(paragraph: XmlElement, context: BlockContext, base: RunStyle): ParagraphItem[] {
  const runs = new RunReader(context, base);
  runs.readAll(paragraph);
  return runs.items;
}
