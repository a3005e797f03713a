/** Reads one page: its text, links, pictures and lines, as it is seen. */
import { UnreadableFileError } from "../engine.js";
import { annotate } from "./annotations.js";
import { limitPictures } from "./bitmaps.js";
import { matrixOf } from "./geometry.js";
import { type Box, heightOf, holds, overlap, type Page, type Run, widthOf } from "./model.js";
import { type PdfPage, pdfJs } from "./open.js";
import { walk } from "./operators.js";
import { type Album, type Placed, picturedBy, placed } from "./pictures.js";
import { contentOf, runsOf, turnOf } from "./text.js";

const upright = [1, 0, 0, 1, 0, 0] as const;

/** The longest side that word processors know; larger sheets are made smaller, with all that is on them. */
const longestSide = 22 * 72;
const shortestSide = 36;

export async function readPage(page: PdfPage, number: number, album: Album): Promise<Page> {
  const content = await contentOf(page);
  const stored = page.getViewport({ scale: 1 });
  // Wide tables lie sideways on pages that say nothing of it.
  const turn = turnOf(content, matrixOf(stored.transform) ?? upright);
  const scale = Math.min(1, longestSide / Math.max(stored.width, stored.height));
  const viewport = page.getViewport({ scale, rotation: (page.rotate + 360 - turn) % 360 });
  const matrix = matrixOf(viewport.transform) ?? upright;
  const checkPictures = limitPictures(page, number);
  const { painted, drawn, letters } = await walk(page, await pdfJs(), matrix);
  // Fonts are known once the page's operators are.
  const text = runsOf(page, content, matrix, letters);
  const sheet = { left: 0, top: 0, right: viewport.width, bottom: viewport.height };
  const all = (await annotate(page, text.upright, matrix)).filter((run) => touches(sheet, run));
  const seen = (await placed(page, painted, album)).filter(({ box }) => touches(sheet, box));
  checkPictures();
  const isPictured = picturedBy(seen);
  const [hidden, runs] = parted(all, isPictured);
  const [hiddenAside, aside] = parted(text.turned, isPictured);
  const isCovered = (box: Box): boolean =>
    runs.length === 0 ||
    isBehind(box, runs) ||
    (isMostOf(sheet, box) && hidden.some((run) => holds(box, run)));
  if (all.length === 0) refuseLost(seen, sheet, number);
  const pictures = seen
    .flatMap(({ box, encoded }) => (encoded ? { ...box, ...encoded, behind: isCovered(box) } : []))
    .map((picture, order) => ({
      ...picture,
      order,
      description: `Picture ${order + 1} of page ${number}`,
    }));
  page.cleanup();
  return {
    width: Math.max(shortestSide, viewport.width),
    height: Math.max(shortestSide, viewport.height),
    runs: [...runs, ...asideOf(aside, sheet)],
    hidden: [...hidden, ...asideOf(hiddenAside, sheet)],
    pictures,
    drawing: drawn,
  };
}

const touches = (sheet: Box, box: Box): boolean =>
  overlap(sheet.left, sheet.right, box.left, box.right) > 0 &&
  overlap(sheet.top, sheet.bottom, box.top, box.bottom) > 0;

const isMostOf = (sheet: Box, box: Box): boolean =>
  widthOf(box) * heightOf(box) > 0.5 * widthOf(sheet) * heightOf(sheet);

const parted = (runs: readonly Run[], isFirst: (run: Run) => boolean): [Run[], Run[]] => [
  runs.filter(isFirst),
  runs.filter((run) => !isFirst(run)),
];

/** Text turned otherwise than the page's own goes to the page's foot, a line each. */
function asideOf(turned: readonly Run[], sheet: Box): Run[] {
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

/** A page that is one picture would come out empty. */
function refuseLost(seen: readonly Placed[], sheet: Box, number: number): void {
  const isLost = ({ box, encoded }: Placed): boolean => !encoded && isMostOf(sheet, box);
  if (seen.some(isLost))
    throw new UnreadableFileError(
      `the picture that is page ${number} cannot be decoded, as JPEG 2000 and JBIG2 cannot; save it with JPEG pictures`,
    );
}

/** More text lies upon it than a caption would. */
function isBehind(picture: Box, runs: readonly Run[]): boolean {
  let covered = 0;
  const visible = runs.filter(({ invisible }) => !invisible);
  for (const run of visible) {
    const across = overlap(picture.left, picture.right, run.left, run.right);
    const along = overlap(picture.top, picture.bottom, run.top, run.bottom);
    if (across > 0.5 * widthOf(run) && along > 0.5 * heightOf(run)) covered++;
  }
  return covered >= 2 || (covered === 1 && visible.length === 1);
}
