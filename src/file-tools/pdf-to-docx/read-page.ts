/** Reads a page as it is displayed: its text, links, pictures and lines. */
import { type ConversionReport, UnreadableFileError } from "../engine.js";
import { applyAnnotations } from "./annotations.js";
import { limitDecodedBytes } from "./bitmaps.js";
import { drawPage } from "./draw-page.js";
import { parseMatrix } from "./matrix.js";
import { loadPdfJs, type PdfPage } from "./open-pdf.js";
import { readGraphics } from "./operators.js";
import {
  type Box,
  containsCentre,
  heightOf,
  overlap,
  type PageContent,
  type ScanForm,
  type TextRun,
  widthOf,
} from "./page-model.js";
import { isShownInPictures, type PictureStore, type PlacedPicture, readPictures } from "./pictures.js";
import { readTextContent, textRotation, toRuns } from "./text-runs.js";

const identity = [1, 0, 0, 1, 0, 0] as const;

/** Maximum page size of word processors. Larger pages are scaled down with their contents. */
const maxSidePoints = 22 * 72;
const minSidePoints = 36;

export async function readPage(
  page: PdfPage,
  number: number,
  store: PictureStore,
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
  const checkPictures = limitDecodedBytes(page, number);
  const { images, lineArt, visibility, annotationText } = await readGraphics(page, await loadPdfJs(), matrix);
  // pdf.js knows the fonts only once it has returned the operators.
  const text = toRuns(page, content, matrix, visibility);
  const sheet = { left: 0, top: 0, right: viewport.width, bottom: viewport.height };
  const all = (await applyAnnotations(page, text.upright, matrix, annotationText)).filter((run) =>
    overlapsSheet(sheet, run),
  );
  const placed = (await readPictures(page, images, store)).filter(({ box }) => overlapsSheet(sheet, box));
  checkPictures();
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
  const drawn = lineArt.hasAny && !hasText && !isScan ? await drawPage(page, viewport) : null;
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

/** Moves text with another rotation than the page's to the bottom of the page, one line per run. */
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
