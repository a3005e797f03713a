/** Applies a page's annotations to its text: links, form field values and free text notes. */
import { type Matrix, transformBox } from "./matrix.js";
import type { PdfPage } from "./open-pdf.js";
import { type Box, containsCentre, type TextRun, widthOf } from "./page-model.js";

interface Annotation {
  id?: string;
  subtype?: string;
  fieldType?: string;
  fieldValue?: unknown;
  /** Whether a text field has a cell for each letter. */
  comb?: boolean;
  hidden?: boolean;
  rect?: number[];
  url?: string;
  overlaidText?: string;
  contentsObj?: { str?: string };
}

const formFieldFace = { family: "Arial", weight: 400, italic: false };
const linkProtocol = /^(https?:|mailto:|tel:)/i;

/** Adds links to the runs, and runs for the contents of form fields and notes. */
export async function applyAnnotations(
  page: PdfPage,
  runs: TextRun[],
  viewport: Matrix,
  drawn: ReadonlyMap<string, readonly string[]>,
): Promise<TextRun[]> {
  let all = runs;
  for (const annotation of (await page.getAnnotations()) as Annotation[]) {
    const rect = annotation.rect;
    if (rect?.length !== 4 || !rect.every(Number.isFinite)) continue;
    const box = transformBox(viewport, ...(rect as [number, number, number, number]));
    const { url, overlaidText } = annotation;
    if (url && linkProtocol.test(url)) all = all.flatMap((run) => linkRun(run, box, url, overlaidText ?? ""));
    const lines = displayedLines(annotation, drawn.get(annotation.id ?? "") ?? []);
    all = [...all, ...lines.flatMap((text, row) => fieldLine(text, row, box, all.length))];
  }
  return all;
}

/** Returns the text that the annotation draws, or else the value that has been entered into it. */
function displayedLines(annotation: Annotation, drawn: readonly string[]): string[] {
  const isHidden = annotation.hidden || annotation.subtype === "Link";
  const lines = drawn.filter((line) => line.trim() !== "");
  // A comb draws its letters one by one.
  if (lines.length > 0 && !annotation.comb) return isHidden ? [] : lines;
  return enteredText(annotation)?.split(/\r\n?|\n/) ?? [];
}

function enteredText({ subtype, fieldType, fieldValue, hidden, contentsObj }: Annotation): string | null {
  if (hidden) return null;
  if (subtype === "FreeText") return contentsObj?.str || null;
  if (fieldType !== "Tx" && fieldType !== "Ch") return null;
  return (
    [fieldValue]
      .flat()
      .filter((value) => typeof value === "string" && value !== "")
      .join(", ") || null
  );
}

function fieldLine(text: string, row: number, box: Box, order: number): TextRun[] {
  if (text.trim() === "") return [];
  const size = Math.max(6, Math.min(11, (box.bottom - box.top) * 0.7));
  const baseline = box.top + size * (1 + row * 1.2);
  const place = {
    left: box.left + 2,
    right: Math.max(box.right, box.left + 3),
    top: baseline - 0.8 * size,
    bottom: baseline + 0.2 * size,
  };
  return [
    {
      ...place,
      text: text.trim(),
      baseline,
      size,
      face: formFieldFace,
      order,
      rightToLeft: false,
      hasSpaceBefore: true,
      invisible: false,
      link: null,
    },
  ];
}

/** Splits the part under a link from its run, because pdf.js merges all text of a line. */
function linkRun(run: TextRun, box: Box, url: string, overlaid: string): TextRun[] {
  const isUnder = run.baseline > box.top && run.baseline - run.size * 0.3 < box.bottom;
  if (!isUnder || run.right <= box.left || run.left >= box.right || run.link) return [run];
  if (containsCentre(box, run) && widthOf(run) <= widthOf(box) + run.size) return [{ ...run, link: url }];
  const [from, to] = rangeUnder(run, box, overlaid.trim());
  const cut = (start: number, end: number, link: string | null): TextRun[] => {
    const text = run.text.slice(start, end);
    if (text.trim() === "") return [];
    const at = (index: number): number => run.left + (widthOf(run) * index) / run.text.length;
    const isSpaced =
      start === 0 ? run.hasSpaceBefore : /\s/.test(run.text.charAt(start - 1)) || /^\s/.test(text);
    return [
      {
        ...run,
        text: text.trim(),
        left: at(start),
        right: at(end),
        hasSpaceBefore: isSpaced,
        link,
        order: run.order + start / 1e6,
      },
    ];
  };
  return [...cut(0, from, null), ...cut(from, to, url), ...cut(to, run.text.length, null)];
}

/** Returns the range of the overlaid text nearest to the link or, if the run does not contain it, of the words under it. */
function rangeUnder(run: TextRun, box: Box, overlaid: string): readonly [number, number] {
  const { text } = run;
  const indexAt = (x: number): number =>
    Math.min(text.length, Math.max(0, Math.round(((x - run.left) / widthOf(run)) * text.length)));
  const guess = indexAt(box.left);
  let nearest = -1;
  for (let at = overlaid ? text.indexOf(overlaid) : -1; at >= 0; at = text.indexOf(overlaid, at + 1))
    if (nearest < 0 || Math.abs(at - guess) < Math.abs(nearest - guess)) nearest = at;
  if (nearest >= 0) return [nearest, nearest + overlaid.length];
  const from = text.lastIndexOf(" ", guess) + 1;
  const end = text.indexOf(" ", Math.max(from, indexAt(box.right) - 1));
  return [from, end < 0 ? text.length : end];
}
