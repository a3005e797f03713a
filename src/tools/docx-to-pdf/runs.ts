/** What a paragraph is made of: text in its styles, tabs, breaks, links, fields, pictures. */
import { type Drawing, drawingsOf } from "./drawings.js";
import type { Meaning } from "./fields.js";
import { toInlines, toTab } from "./inline.js";
import type { Inline } from "./nodes.js";
import type { NoteKind } from "./notes.js";
import { type RunStyle, readRunStyle } from "./run-style.js";
import type { Place, Story } from "./story.js";
import { child, elementsOf, textOf, valOf, type XmlElement } from "./xml.js";

export type Item = { kind: "text"; inline: Inline } | (Drawing & { style: RunStyle }) | { kind: "pageBreak" };

type Link = Pick<Inline, "link" | "linkToDestination">;

/** What a reader's program may open by itself. */
const safeAddress = /^(?:https?|mailto|tel|ftp):/i;

class Runs {
  readonly items: Item[] = [];
  readonly #story: Story;
  readonly #place: Place;
  readonly #base: RunStyle;
  #link: Link = {};

  constructor(place: Place, base: RunStyle) {
    this.#place = place;
    this.#story = place.story;
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
        return this.#within(this.#linkOf(element), element);
      case "w:fldSimple":
        return this.#readSimpleField(element);
      case "w:sdt":
        return this.readAll(child(element, "w:sdtContent") ?? element);
      case "m:t":
        return this.#add(textOf(element), this.#base);
      // Deleted text is left out; so are comments and what describes the paragraph itself.
      case "w:pPr":
      case "w:del":
      case "w:moveFrom":
        return;
      case "mc:AlternateContent":
        return this.readAll(chosen(element));
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
        return this.#addInline(toTab(style));
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
        return this.#refer("footnote", element, style);
      case "w:endnoteReference":
        return this.#refer("endnote", element, style);
      case "w:footnoteRef":
      case "w:endnoteRef":
        return this.#add(this.#story.noteMark, style);
      case "w:drawing":
      case "w:pict":
      case "w:object":
        return this.#readDrawing(element, style);
      case "mc:AlternateContent":
        for (const one of elementsOf(chosen(element))) this.#readPiece(one, style);
        return;
      case "w:ruby":
        return this.readAll(child(element, "w:rubyBase") ?? element);
      default:
        return;
    }
  }

  #readBreak({ attributes }: XmlElement, style: RunStyle): void {
    if (attributes["w:type"] === "page") this.items.push({ kind: "pageBreak" });
    else this.#add("\n", style);
  }

  #readDrawing(element: XmlElement, style: RunStyle): void {
    if (!this.#isShown()) return;
    for (const drawing of drawingsOf(element, this.#story, this.#currentLink().link))
      this.items.push({ ...drawing, style });
  }

  #readSymbol({ attributes }: XmlElement, style: RunStyle): void {
    const code = Number.parseInt(attributes["w:char"] ?? "", 16);
    if (code > 0 && code <= 0xffff)
      this.#add(String.fromCharCode(code), { ...style, font: attributes["w:font"] ?? "" });
  }

  #refer(kind: NoteKind, { attributes }: XmlElement, style: RunStyle): void {
    const note = this.#story.notes.refer(kind, attributes["w:id"] ?? "");
    if (!note) return;
    this.#within({ linkToDestination: note.id }, null, () =>
      this.#add(note.mark, { ...style, vertical: "sup" }),
    );
  }

  #readFieldMark({ attributes }: XmlElement, style: RunStyle): void {
    const { fields } = this.#story;
    const mark = attributes["w:fldCharType"];
    if (mark === "begin") return fields.begin();
    const isShown = mark === "separate" ? fields.isShownOutside((one) => this.#isOurs(one)) : true;
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

  /** Whether we know better than what Word last wrote. */
  #isOurs(meaning: Meaning): boolean {
    if (meaning?.kind === "page" || meaning?.kind === "pages") return this.#story.pageNumbers !== null;
    return meaning?.kind === "pageOf" && this.#story.anchors?.idOf(meaning.anchor) !== undefined;
  }

  #addComputed(meaning: Meaning, style: RunStyle): void {
    if (!meaning || !this.#isOurs(meaning)) return;
    const { pageNumbers, anchors, fonts } = this.#story;
    if (meaning.kind === "page" || meaning.kind === "pages")
      return this.#push(toInlines(String(pageNumbers?.[meaning.kind]), style, fonts, this.#place.background));
    if (meaning.kind !== "pageOf") return;
    const pageReference = anchors?.idOf(meaning.anchor);
    const [inline] = toInlines("0", style, fonts, this.#place.background);
    if (inline && pageReference) this.#push([{ ...inline, pageReference, alignment: "right" }]);
  }

  #isShown(): boolean {
    return this.#story.fields.isShown((meaning) => this.#isOurs(meaning));
  }

  /** Line ends within text are blanks; tabs are tabs, however they were written. */
  #addText(text: string, style: RunStyle): void {
    for (const [at, piece] of text
      .replace(/[\r\n]+/g, " ")
      .split("\t")
      .entries()) {
      if (at > 0) this.#addInline(toTab(style));
      this.#add(piece, style);
    }
  }

  #add(text: string, style: RunStyle): void {
    if (!this.#isShown()) return;
    this.#push(toInlines(text, style, this.#story.fonts, this.#place.background));
  }

  #addInline(inline: Inline): void {
    if (this.#isShown()) this.#push([inline]);
  }

  #push(inlines: readonly Inline[]): void {
    const link = this.#currentLink();
    const { anchors } = this.#story;
    for (const one of inlines) {
      const inline = { ...one, ...link };
      const leads = inline.linkToDestination !== undefined || inline.pageReference !== undefined;
      this.items.push({ kind: "text", inline: leads && anchors ? anchors.watch(inline) : inline });
    }
  }

  #currentLink(): Link {
    const field = this.#story.fields.link();
    return field ? this.#toLink(field.address, field.anchor) : this.#link;
  }

  #linkOf({ attributes }: XmlElement): Link {
    const relation = this.#story.relations.get(attributes["r:id"] ?? "");
    return this.#toLink(relation?.isExternal ? relation.target : undefined, attributes["w:anchor"]);
  }

  #toLink(address: string | undefined, anchor: string | undefined): Link {
    if (address && safeAddress.test(address)) return { link: address };
    const id = anchor === undefined ? undefined : this.#story.anchors?.idOf(anchor);
    return id === undefined ? {} : { linkToDestination: id };
  }

  #within(link: Link, element: XmlElement | null, act = () => element && this.readAll(element)): void {
    const outer = this.#link;
    this.#link = link;
    act();
    this.#link = outer;
  }
}

const shown: readonly string[] = ["w:t", "a:blip", "v:imagedata", "w:txbxContent"];

const showsSomething = (element: XmlElement): boolean =>
  shown.includes(element.name) || elementsOf(element).some(showsSomething);

/** What an application that knows the newer drawings shows; the older ones where we find nothing in those. */
export function chosen(alternate: XmlElement): XmlElement {
  const [choice, fallback] = [child(alternate, "mc:Choice"), child(alternate, "mc:Fallback")];
  const isEmpty = !choice || !showsSomething(choice);
  return (isEmpty ? fallback : choice) ?? choice ?? { ...alternate, children: [] };
}

export function readRuns(paragraph: XmlElement, place: Place, base: RunStyle): Item[] {
  const runs = new Runs(place, base);
  runs.readAll(paragraph);
  return runs.items;
}
