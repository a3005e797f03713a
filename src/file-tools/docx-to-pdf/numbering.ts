/** Reads list definitions and counts the items to create their labels. */
import type { DocxPackage } from "./docx-package.js";
import {
  isOn,
  type ParagraphStyle,
  type RunStyle,
  readParagraphStyle,
  readRunStyle,
  type Styles,
} from "./styles.js";
import { replaceSymbols } from "./text.js";
import { child, children, valOf, type XmlElement } from "./xml.js";

const digits = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
/** Roman numerals for one, five and ten, times 1, 10 and 100. */
const places = ["ivx", "xlc", "cdm"];

function formatRoman(value: number): string {
  if (value > 4_999) return String(value);
  const written = places.map((letters, place) =>
    (digits[Math.floor(value / 10 ** place) % 10] ?? "").replace(
      /./g,
      (one) => letters["ivx".indexOf(one)] ?? "",
    ),
  );
  return "m".repeat(value / 1_000) + written.reverse().join("");
}

/** Formats a number as letters: a to z, then aa, bb, cc. */
const formatLetters = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(9, Math.ceil(value / 26)));

const formats: Readonly<Record<string, (value: number) => string>> = {
  lowerLetter: formatLetters,
  upperLetter: (value) => formatLetters(value).toUpperCase(),
  lowerRoman: formatRoman,
  upperRoman: (value) => formatRoman(value).toUpperCase(),
  decimalZero: (value) => String(value).padStart(2, "0"),
  none: () => "",
};

const formatListNumber = (value: number, format: string): string =>
  value < 1 ? String(value) : (formats[format]?.(value) ?? String(value));

interface NumberingLevel {
  format: string;
  start: number;
  /** Pattern of the label. `%1`, `%2` … are the numbers of the levels. */
  text: string;
  /** Formats the numbers of all levels as decimals, as in legal documents. */
  isLegal: boolean;
  suffix: "tab" | "space" | "nothing";
  paragraph: ParagraphStyle;
  run: RunStyle;
}

interface NumberingList {
  /** Lists with the same abstract list share their counters. */
  abstract: string;
  levels: Map<number, NumberingLevel>;
  startOverrides: Map<number, number>;
}

export interface ListLabel {
  text: string;
  suffix: NumberingLevel["suffix"];
  run: RunStyle;
  paragraph: ParagraphStyle;
}

const levelOf = (element: XmlElement): number => Number(element.attributes.ilvl ?? 0);

function toLevel(element: XmlElement, styles: Styles): NumberingLevel {
  const run = readRunStyle(child(element, "rPr"), styles.themeFonts);
  const format = valOf(element, "numFmt") ?? "decimal";
  const text = valOf(element, "lvlText") ?? "";
  const suffix = valOf(element, "suff");
  return {
    format,
    start: Number(valOf(element, "start") ?? 1) || 0,
    text: format === "bullet" ? replaceSymbols(text, run.font) : text,
    isLegal: isOn(element, "isLgl") ?? false,
    suffix: suffix === "space" || suffix === "nothing" ? suffix : "tab",
    paragraph: readParagraphStyle(child(element, "pPr")),
    run,
  };
}

function readLists(root: XmlElement | undefined, styles: Styles): Map<string, NumberingList> {
  const abstracts = new Map(
    children(root, "abstractNum").map((definition) => [
      definition.attributes.abstractNumId ?? "",
      definition,
    ]),
  );
  const toLevels = (element: XmlElement | undefined): [number, NumberingLevel][] =>
    children(element, "lvl").map((level) => [levelOf(level), toLevel(level, styles)]);

  return new Map(
    children(root, "num").map((instance) => {
      const abstract = valOf(instance, "abstractNumId") ?? "";
      const levels = new Map(toLevels(abstracts.get(abstract)));
      const startOverrides = new Map<number, number>();
      for (const override of children(instance, "lvlOverride")) {
        const start = valOf(override, "startOverride");
        if (start !== undefined) startOverrides.set(levelOf(override), Number(start) || 0);
        for (const [, level] of toLevels(override)) levels.set(levelOf(override), level);
      }
      return [instance.attributes.numId ?? "", { abstract, levels, startOverrides }];
    }),
  );
}

export class Numbering {
  readonly #lists: Map<string, NumberingList>;
  /** Current number of each level, by abstract list. */
  readonly #counters = new Map<string, number[]>();
  readonly #started = new Set<string>();

  constructor(file: DocxPackage, styles: Styles) {
    this.#lists = readLists(file.readRelated("numbering"), styles);
  }

  /** Returns the paragraph style of a level. */
  paragraphStyle(list: string | undefined, level: number): ParagraphStyle {
    return this.#lists.get(list ?? "")?.levels.get(level)?.paragraph ?? {};
  }

  /** Counts an item and returns its label, or null if the list does not exist. */
  countItem(id: string, at: number): ListLabel | null {
    const list = this.#lists.get(id);
    const level = list?.levels.get(at);
    if (!list || !level) return null;
    const numbers = this.#counters.get(list.abstract) ?? [];
    this.#counters.set(list.abstract, numbers);
    const restarts = list.startOverrides.has(at) && !this.#started.has(`${id} ${at}`);
    this.#started.add(`${id} ${at}`);
    const previous = restarts ? undefined : numbers[at];
    numbers[at] = previous === undefined ? (list.startOverrides.get(at) ?? level.start) : previous + 1;
    numbers.length = at + 1;
    return { ...level, text: this.#formatLabel(list, level, numbers) };
  }

  #formatLabel(
    list: NumberingList,
    { text, format, isLegal }: NumberingLevel,
    numbers: readonly number[],
  ): string {
    if (format === "bullet") return text;
    return text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const level = list.levels.get(at);
      const own = isLegal ? "decimal" : (level?.format ?? "decimal");
      return formatListNumber(numbers[at] ?? level?.start ?? 1, own);
    });
  }
}
