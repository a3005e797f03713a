/** PDF to Word: the pages are read, their text put in order, and the order written as a document of real styles. */
import { type Engine, UnreadableFileError } from "../engine.js";
import { aboutOf, createdOf } from "./about.js";
import { blocksOf, bodyOf } from "./compose.js";
import { type Composed, type Section, write } from "./docx-document.js";
import { seal } from "./docx-seal.js";
import type { Base } from "./docx-text.js";
import { bodySizeOf, markHeadings } from "./headings.js";
import { type Lists, markLists } from "./lists.js";
import { marginsOf, widened } from "./margins.js";
import type { Block, Drawing, Face, Page, Paragraph } from "./model.js";
import { open, type PdfFile, type PdfPage } from "./open.js";
import { readPage } from "./page.js";
import { Album } from "./pictures.js";
import { wordsIn } from "./spans.js";

export const pdfToDocx: Engine<Record<string, never>> = async (bytes) => {
  const pdf = await open(bytes);
  try {
    const pages = await readPages(pdf);
    const about = await aboutOf(pdf);
    const words = new Set(
      pages.flatMap(({ runs, hidden }) => [...runs, ...hidden].flatMap(({ text }) => wordsIn(text))),
    );
    const sections = sectionsOf(pages, words);
    const blocks = sections.flatMap((section) => section.pages.flatMap((page) => page.blocks));
    markHeadings(blocks);
    const lists: Lists = [];
    markLists(blocks, lists);
    return seal(await write(sections, lists, baseOf(blocks), about), await createdOf(pdf));
  } finally {
    await pdf.loadingTask.destroy();
  }
};

async function readPages(pdf: PdfFile): Promise<Page[]> {
  const pages: Page[] = [];
  const album = new Album();
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number).catch(() => null);
    if (page) pages.push(await readPage(page, number, album).catch(blankFor(page)));
  }
  if (pages.every(({ runs, pictures }) => runs.length === 0 && pictures.length === 0))
    throw new UnreadableFileError("no text and no picture can be read from it; send a PDF that has some");
  return pages;
}

const nothing: Drawing = { horizontal: [], vertical: [], dots: [] };

/** A damaged page is left empty, as readers show it. */
const blankFor =
  ({ view: [, , width = 595, height = 842] }: PdfPage) =>
  (error: unknown): Page => {
    if (error instanceof UnreadableFileError) throw error;
    return { width, height, runs: [], hidden: [], pictures: [], drawing: nothing };
  };

function sectionsOf(pages: readonly Page[], words: ReadonlySet<string>): Section[] {
  const groups: Page[][] = [];
  for (const page of pages) {
    const last = groups.at(-1)?.[0];
    const isAlike = last && Math.abs(last.width - page.width) < 1 && Math.abs(last.height - page.height) < 1;
    if (isAlike) groups.at(-1)?.push(page);
    else groups.push([page]);
  }
  return groups.map((group) => {
    const found = bodyOf(group);
    const body = found ? widened(found, group[0]?.width ?? found.right) : undefined;
    const composed = group.map(
      (page): Composed => ({
        page,
        blocks: blocksOf(page, words, body),
        hidden: blocksOf({ runs: page.hidden, pictures: [], drawing: nothing }, words).flatMap(paragraphsIn),
        behind: page.pictures.filter(({ behind }) => behind),
      }),
    );
    return { pages: composed, margins: marginsOf(group, body) };
  });
}

/** What most of the text looks like is the document's default. */
function baseOf(blocks: readonly Block[]): Base {
  const paragraphs = blocks.flatMap(paragraphsIn);
  const size = bodySizeOf(paragraphs);
  const headingSize = (level: number): number =>
    paragraphs.find(({ heading }) => heading === level)?.size ?? size;
  return {
    face: usualFace(paragraphs),
    size,
    headingSizes: [headingSize(1), headingSize(2), headingSize(3)],
  };
}

const paragraphsIn = (block: Block): Paragraph[] =>
  block.kind === "paragraph"
    ? [block]
    : block.kind === "table"
      ? block.rows.flat().flatMap((cell) => cell.blocks.flatMap(paragraphsIn))
      : [];

function usualFace(paragraphs: readonly Paragraph[]): Face {
  const letters = new Map<string, { face: Face; count: number }>();
  for (const { face, text } of paragraphs.flatMap(({ spans }) => spans)) {
    const key = `${face.family} ${face.weight}`;
    const known = letters.get(key) ?? { face: { ...face, italic: false }, count: 0 };
    known.count += text.length;
    letters.set(key, known);
  }
  return (
    [...letters.values()].sort((a, b) => b.count - a.count)[0]?.face ?? {
      family: "Arial",
      weight: 400,
      italic: false,
    }
  );
}
