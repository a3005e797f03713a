/** Reads a page as it is displayed: its text, links, pictures, lines and annotations. */

import { type ConversionReport, UnreadableFileError } from "../engine.js";
import type { PageDrawer } from "./draw-pages.js";
import { loadPdfJs, type PdfPage } from "./open-pdf.js";
import { readGraphics } from "./operators.js";
import {
  type Box,
  containsCentre,
  heightOf,
  type Matrix,
  overlap,
  type PageContent,
  parseMatrix,
  type ScanForm,
  type TextRun,
  transformBox,
  widthOf,
} from "./page-model.js";
import { isShownInPictures, type PictureStore, type PlacedPicture, readPictures } from "./pictures.js";
import { readTextContent, textRotation, toRuns } from "./text-runs.js";

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

const formFieldFace = { family: "Arial", bold: false, italic: false };
const linkProtocol = /^(https?:|mailto:|tel:)/i;

/** Adds links to the runs, and runs for the contents of form fields and notes. */
async function applyAnnotations(
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
  // A comb draws each letter separately.
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

const identity = [1, 0, 0, 1, 0, 0] as const;

/** Maximum page size of word processors. Larger pages are scaled down with their contents. */
const maxSidePoints = 22 * 72;
const minSidePoints = 36;

export async function readPage(
  page: PdfPage,
  number: number,
  store: PictureStore,
  drawer: PageDrawer,
  scans: ScanForm,
  report: ConversionReport,
): Promise<PageContent> {
  const content = await readTextContent(page);
  const stored = page.getViewport({ scale: 1 });
  // Pages with wide tables may have rotated text without declaring a rotation.
  const turn = textRotation(content, parseMatrix(stored.transform) ?? identity);
  const scale = Math.min(1, maxSidePoints / Math.max(stored.width, stored.height));
  const viewport = page.getViewport({ scale, rotation: (page.rotate + 360 - turn) % 360 });
  const matrix = parseMatrix(viewport.transform) ?? identity;
  const { images, lineArt, visibility, annotationText } = await readGraphics(page, await loadPdfJs(), matrix);
  // pdf.js knows the fonts only after it has returned the operators.
  const text = toRuns(page, content, matrix, visibility);
  const sheet = { left: 0, top: 0, right: viewport.width, bottom: viewport.height };
  const all = (await applyAnnotations(page, text.upright, matrix, annotationText)).filter((run) =>
    overlapsSheet(sheet, run),
  );
  const placed = (await readPictures(page, images, store)).filter(({ box }) => overlapsSheet(sheet, box));
  const isRecognised = isShownInPictures(placed);
  const isShown = scans === "picture" ? isRecognised : () => false;
  const [hiddenRuns, runs] = partition(all, isShown);
  const [hiddenTurned, turned] = partition(text.turned, isShown);
  const isCovered = (box: Box): boolean =>
    runs.length === 0 ||
    isBehindText(box, runs) ||
    (coversMostOf(sheet, box) && hiddenRuns.some((run) => containsCentre(box, run)));
  if (all.length === 0) refuseLostScan(placed, sheet, number);
  const isScan = placed.some(({ box }) => coversMostOf(sheet, box));
  const hasText = all.length > 0 || text.turned.length > 0;
  const drawn = lineArt.hasAny && !hasText && !isScan ? await drawer.draw(number, viewport) : null;
  const isReplaced = ({ box }: PlacedPicture): boolean =>
    scans === "text" &&
    coversMostOf(sheet, box) &&
    runs.some((run) => isRecognised(run) && containsCentre(box, run));
  const [replaced, kept] = partition(placed, isReplaced);
  const shown = drawn ? [{ box: sheet, encoded: store.keep(drawn) }] : kept;
  for (const picture of replaced) report.leaveOut("picture", picture);
  if (lineArt.hasOther && !drawn && !isScan) report.leaveOut("drawing", number);
  for (const picture of shown) if (!picture.encoded) report.leaveOut("picture", picture);
  const pictures = shown
    .flatMap(({ box, encoded }) => (encoded ? { ...box, ...encoded, isBehindText: isCovered(box) } : []))
    .map((picture, order) => ({
      ...picture,
      order,
      description: `Picture ${order + 1} of page ${number}`,
    }));
  page.cleanup();
  return {
    width: Math.max(minSidePoints, viewport.width),
    height: Math.max(minSidePoints, viewport.height),
    runs: [...runs, ...moveBelowPage(turned, sheet)],
    hiddenRuns: [...hiddenRuns, ...moveBelowPage(hiddenTurned, sheet)],
    pictures,
    lineArt,
  };
}

const overlapsSheet = (sheet: Box, box: Box): boolean =>
  overlap(sheet.left, sheet.right, box.left, box.right) > 0 &&
  overlap(sheet.top, sheet.bottom, box.top, box.bottom) > 0;

const coversMostOf = (sheet: Box, box: Box): boolean =>
  widthOf(box) * heightOf(box) > 0.5 * widthOf(sheet) * heightOf(sheet);

const partition = <T>(values: readonly T[], isFirst: (value: T) => boolean): [T[], T[]] => [
  values.filter(isFirst),
  values.filter((value) => !isFirst(value)),
];

/** Moves text whose rotation differs from the page's to the bottom of the page, one line per run. */
function moveBelowPage(turned: readonly TextRun[], sheet: Box): TextRun[] {
  return turned.map((run, index) => {
    const baseline = sheet.bottom + (index + 1) * run.size * 1.5;
    return {
      ...run,
      left: 0,
      right: widthOf(run),
      top: baseline - 0.8 * run.size,
      bottom: baseline + 0.2 * run.size,
      baseline,
      order: 1e6 + index,
    };
  });
}

/** Refuses a scanned page whose picture cannot be decoded, which would otherwise be empty. */
function refuseLostScan(placed: readonly PlacedPicture[], sheet: Box, number: number): void {
  const isLost = ({ box, encoded }: PlacedPicture): boolean => !encoded && coversMostOf(sheet, box);
  if (placed.some(isLost))
    throw new UnreadableFileError(
      `the picture on page ${number} cannot be decoded; save it again, with JPEG or PNG pictures`,
    );
}

/** Returns whether a picture has more text on it than a caption. */
function isBehindText(picture: Box, runs: readonly TextRun[]): boolean {
  let covered = 0;
  const visible = runs.filter(({ invisible }) => !invisible);
  for (const run of visible) {
    const horizontal = overlap(picture.left, picture.right, run.left, run.right);
    const vertical = overlap(picture.top, picture.bottom, run.top, run.bottom);
    if (horizontal > 0.5 * widthOf(run) && vertical > 0.5 * heightOf(run)) covered++;
  }
  return covered >= 2 || (covered === 1 && visible.length === 1);
}
