/** What lies upon a page's text: links, and what was typed into the fields of a form. */
import { boxOf, type Matrix } from "./geometry.js";
import { type Box, holds, type Run, widthOf } from "./model.js";
import type { PdfPage } from "./open.js";

interface Annotation {
  subtype?: string;
  fieldType?: string;
  fieldValue?: unknown;
  hidden?: boolean;
  rect?: number[];
  url?: string;
  overlaidText?: string;
  contentsObj?: { str?: string };
}

const plain = { family: "Arial", weight: 400, italic: false };
const linkable = /^(https?:|mailto:|tel:)/i;

/** The runs with their links, and with what the form's fields and free notes say. */
export async function annotate(page: PdfPage, runs: Run[], viewport: Matrix): Promise<Run[]> {
  let all = runs;
  for (const annotation of (await page.getAnnotations()) as Annotation[]) {
    const rect = annotation.rect;
    if (rect?.length !== 4 || !rect.every(Number.isFinite)) continue;
    const box = boxOf(viewport, ...(rect as [number, number, number, number]));
    const { url, overlaidText } = annotation;
    if (url && linkable.test(url)) all = all.flatMap((run) => linked(run, box, url, overlaidText ?? ""));
    const typed = typedInto(annotation);
    if (typed)
      all = [...all, ...typed.split(/\r\n?|\n/).flatMap((text, row) => written(text, row, box, all.length))];
  }
  return all;
}

function typedInto({ subtype, fieldType, fieldValue, hidden, contentsObj }: Annotation): string | null {
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

function written(text: string, row: number, box: Box, order: number): Run[] {
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
      face: plain,
      order,
      rightToLeft: false,
      spaced: true,
      invisible: false,
      link: null,
    },
  ];
}

/** pdf.js joins what stands on one line: the part under the link is cut out of its run. */
function linked(run: Run, box: Box, url: string, overlaid: string): Run[] {
  const isUnder = run.baseline > box.top && run.baseline - run.size * 0.3 < box.bottom;
  if (!isUnder || run.right <= box.left || run.left >= box.right || run.link) return [run];
  if (holds(box, run) && widthOf(run) <= widthOf(box) + run.size) return [{ ...run, link: url }];
  const [from, to] = stretchUnder(run, box, overlaid.trim());
  const cut = (start: number, end: number, link: string | null): Run[] => {
    const text = run.text.slice(start, end);
    if (text.trim() === "") return [];
    const at = (index: number): number => run.left + (widthOf(run) * index) / run.text.length;
    const isSpaced = start === 0 ? run.spaced : /\s/.test(run.text.charAt(start - 1)) || /^\s/.test(text);
    return [
      {
        ...run,
        text: text.trim(),
        left: at(start),
        right: at(end),
        spaced: isSpaced,
        link,
        order: run.order + start / 1e6,
      },
    ];
  };
  return [...cut(0, from, null), ...cut(from, to, url), ...cut(to, run.text.length, null)];
}

/** The overlaid text where it stands nearest to the link; else by the width of the letters, whole words. */
function stretchUnder(run: Run, box: Box, overlaid: string): readonly [number, number] {
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
