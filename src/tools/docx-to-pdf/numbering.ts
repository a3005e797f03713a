/** Lists: the label of each item, counted through the document. */
import { formatNumber } from "./number-formats.js";
import type { Package } from "./package.js";
import { type ParagraphStyle, readParagraphStyle } from "./paragraph-style.js";
import { isOn, type RunStyle, readRunStyle } from "./run-style.js";
import type { Styles } from "./styles.js";
import { readSymbols } from "./symbols.js";
import { child, children, valOf, type XmlElement } from "./xml.js";

interface Level {
  format: string;
  start: number;
  /** `%1.%2` stands for the numbers of the levels. */
  text: string;
  /** All numbers in digits, as laws write them. */
  isLegal: boolean;
  follows: "tab" | "space" | "nothing";
  paragraph: ParagraphStyle;
  run: RunStyle;
}

interface List {
  /** Lists that share it go on counting together. */
  abstract: string;
  levels: Map<number, Level>;
  /** Where the list starts anew. */
  starts: Map<number, number>;
}

export interface Label {
  text: string;
  follows: Level["follows"];
  run: RunStyle;
  paragraph: ParagraphStyle;
}

const levelOf = (element: XmlElement): number => Number(element.attributes["w:ilvl"] ?? 0);

function toLevel(element: XmlElement, styles: Styles): Level {
  const run = readRunStyle(child(element, "w:rPr"), styles.themeFonts);
  const format = valOf(element, "w:numFmt") ?? "decimal";
  const text = valOf(element, "w:lvlText") ?? "";
  const follows = valOf(element, "w:suff");
  return {
    format,
    start: Number(valOf(element, "w:start") ?? 1) || 0,
    text: format === "bullet" ? readSymbols(text, run.font) : text,
    isLegal: isOn(element, "w:isLgl") ?? false,
    follows: follows === "space" || follows === "nothing" ? follows : "tab",
    paragraph: readParagraphStyle(child(element, "w:pPr")),
    run,
  };
}

function readLists(root: XmlElement | undefined, styles: Styles): Map<string, List> {
  const abstracts = new Map(
    children(root, "w:abstractNum").map((one) => [one.attributes["w:abstractNumId"] ?? "", one]),
  );
  const toLevels = (element: XmlElement | undefined): [number, Level][] =>
    children(element, "w:lvl").map((level) => [levelOf(level), toLevel(level, styles)]);

  return new Map(
    children(root, "w:num").map((one) => {
      const abstract = valOf(one, "w:abstractNumId") ?? "";
      const levels = new Map(toLevels(abstracts.get(abstract)));
      const starts = new Map<number, number>();
      for (const override of children(one, "w:lvlOverride")) {
        const start = valOf(override, "w:startOverride");
        if (start !== undefined) starts.set(levelOf(override), Number(start) || 0);
        for (const [, level] of toLevels(override)) levels.set(levelOf(override), level);
      }
      return [one.attributes["w:numId"] ?? "", { abstract, levels, starts }];
    }),
  );
}

export class Numbering {
  readonly #lists: Map<string, List>;
  /** Numbers reached, by abstract list, a place a level. */
  readonly #reached = new Map<string, number[]>();
  readonly #begun = new Set<string>();

  constructor(file: Package, styles: Styles) {
    this.#lists = readLists(file.related("numbering"), styles);
  }

  /** How the level stands, without counting. */
  paragraphOf(list: string | undefined, level: number): ParagraphStyle {
    return this.#lists.get(list ?? "")?.levels.get(level)?.paragraph ?? {};
  }

  /** Counts one item; null where the list is not known. */
  next(id: string, at: number): Label | null {
    const list = this.#lists.get(id);
    const level = list?.levels.get(at);
    if (!list || !level) return null;
    const numbers = this.#reached.get(list.abstract) ?? [];
    this.#reached.set(list.abstract, numbers);
    const startsAnew = list.starts.has(at) && !this.#begun.has(`${id} ${at}`);
    this.#begun.add(`${id} ${at}`);
    const before = startsAnew ? undefined : numbers[at];
    numbers[at] = before === undefined ? (list.starts.get(at) ?? level.start) : before + 1;
    numbers.length = at + 1;
    return { ...level, text: this.#write(list, level, numbers) };
  }

  #write(list: List, { text, format, isLegal }: Level, numbers: readonly number[]): string {
    if (format === "bullet") return text;
    return text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const level = list.levels.get(at);
      const own = isLegal ? "decimal" : (level?.format ?? "decimal");
      return formatNumber(numbers[at] ?? level?.start ?? 1, own);
    });
  }
}
