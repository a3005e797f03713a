/** Converts PDF to DOCX: reads the pages, composes paragraphs, tables, lists and headings, and writes them with styles. */

import { second, stopwatch } from "../../time/time.js";
import { ConversionReport, type Engine, UnreadableFileError } from "../engine.js";
import { composeBlocks, textColumn } from "./compose-blocks.js";
import type { ComposedPage, DefaultStyle } from "./docx-blocks.js";
import {
  type DocxSection,
  findMargins,
  makeReproducible,
  readCreationDate,
  readProperties,
  widenColumn,
  writeDocx,
} from "./docx-document.js";
import { PageDrawer } from "./draw-pages.js";
import { findWords } from "./lines.js";
import { type Lists, markLists } from "./lists.js";
import { type PdfFile, type PdfPage, withPdf } from "./open-pdf.js";
import type { Block, LineArt, PageContent, Paragraph, ScanForm, Span } from "./page-model.js";
import { PictureStore } from "./pictures.js";
import { readPage } from "./read-page.js";

/** Minimum size of a heading, as a ratio of the body text's. */
const minSizeRatio = 1.12;
const maxLines = 3;
const maxLetters = 200;

const textLength = (paragraph: Paragraph): number =>
  paragraph.spans.reduce((sum, { text }) => sum + text.length, 0);

function markHeadings(blocks: readonly Block[]): void {
  const paragraphs = blocks.filter((block) => block.kind === "paragraph");
  const body = mostCommonSize(paragraphs);
  const headings = paragraphs.filter((paragraph) => isHeading(paragraph, body));
  // In slides and posters, most text is large.
  const share = headings.reduce((sum, heading) => sum + textLength(heading), 0);
  if (share > 0.5 * paragraphs.reduce((sum, paragraph) => sum + textLength(paragraph), 0)) return;
  const sizes = [...new Set(headings.map(({ size }) => Math.round(size)))].sort((a, b) => b - a);
  for (const heading of headings)
    heading.heading = Math.min(3, sizes.indexOf(Math.round(heading.size)) + 1) as 1 | 2 | 3;
}

/** Returns the font or the font size of most letters. */
function mostCommon<T extends string | number>(
  paragraphs: readonly Paragraph[],
  read: (span: Span) => T,
  fallback: T,
): T {
  const letters = new Map<T, number>();
  for (const span of paragraphs.flatMap(({ spans }) => spans))
    letters.set(read(span), (letters.get(read(span)) ?? 0) + span.text.length);
  return [...letters].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? fallback;
}

const mostCommonSize = (paragraphs: readonly Paragraph[]): number =>
  mostCommon(paragraphs, ({ size }) => size, 11);

function isHeading(paragraph: Paragraph, body: number): boolean {
  const text = paragraph.spans.map((span) => span.text).join("");
  return (
    paragraph.size >= minSizeRatio * body &&
    paragraph.lines <= maxLines &&
    text.length <= maxLetters &&
    /\p{L}/u.test(text)
  );
}

/** Time limit for reading in ms, which leaves time for writing within the minute that a conversion may take. */
const readingBudgetMs = 35 * second;

export interface PdfOptions {
  /** Result of a scan with recognised text. Default `picture`. */
  scans?: ScanForm;
}

/** Creates an engine that stops reading pages after this time. */
export const createPdfReader =
  (budgetMs: number): Engine<PdfOptions> =>
  (bytes, { scans = "picture" }, report = new ConversionReport()) =>
    convert(bytes, budgetMs, scans, report);

export const pdfToDocx = createPdfReader(readingBudgetMs);

async function convert(
  bytes: Uint8Array,
  budgetMs: number,
  scans: ScanForm,
  report: ConversionReport,
): Promise<Uint8Array> {
  const { pages, properties, created } = await withPdf(bytes, async (pdf) => ({
    pages: await readPages(pdf, budgetMs, scans, report),
    properties: await readProperties(pdf),
    created: await readCreationDate(pdf),
  }));
  const words = new Set(
    pages.flatMap(({ runs, hiddenRuns }) => [...runs, ...hiddenRuns].flatMap(({ text }) => findWords(text))),
  );
  const sections = composeSections(pages, words);
  const blocks = sections.flatMap((section) => section.pages.flatMap((page) => page.blocks));
  markHeadings(blocks);
  const lists: Lists = [];
  markLists(blocks, lists);
  return makeReproducible(await writeDocx(sections, lists, defaultStyle(blocks), properties), created);
}

/** Reads pages, at least one, until the time is over. Pages that are left out are noted in the report. */
async function readPages(
  pdf: PdfFile,
  budgetMs: number,
  scans: ScanForm,
  report: ConversionReport,
): Promise<PageContent[]> {
  const pages: PageContent[] = [];
  const store = new PictureStore();
  const drawer = new PageDrawer(pdf);
  const elapsed = stopwatch();
  for (let number = 1; number <= pdf.numPages; number++) {
    const isInTime = pages.length === 0 || elapsed() <= budgetMs;
    const page = isInTime ? await pdf.getPage(number).catch(() => null) : null;
    if (!page) report.leaveOut("page", number);
    else
      pages.push(
        await readPage(page, number, store, drawer, scans, report).catch((error) => {
          report.leaveOut("page", number);
          return emptyPage(page, error);
        }),
      );
  }
  if (pages.every(({ runs, pictures }) => runs.length === 0 && pictures.length === 0))
    throw new UnreadableFileError("it contains no readable text or pictures; send a PDF that does");
  return pages;
}

const noLineArt: LineArt = { horizontal: [], vertical: [], dots: [] };

/** Replaces a damaged page with an empty one, as PDF viewers do. */
function emptyPage({ view: [, , width = 595, height = 842] }: PdfPage, error: unknown): PageContent {
  if (error instanceof UnreadableFileError) throw error;
  return { width, height, runs: [], hiddenRuns: [], pictures: [], lineArt: noLineArt };
}

function composeSections(pages: readonly PageContent[], words: ReadonlySet<string>): DocxSection[] {
  const groups: PageContent[][] = [];
  for (const page of pages) {
    const last = groups.at(-1)?.[0];
    const isAlike = last && Math.abs(last.width - page.width) < 1 && Math.abs(last.height - page.height) < 1;
    if (isAlike) groups.at(-1)?.push(page);
    else groups.push([page]);
  }
  return groups.map((group) => {
    const found = textColumn(group);
    const body = found ? widenColumn(found, group[0]?.width ?? found.right) : undefined;
    const composed = group.map(
      (page): ComposedPage => ({
        page,
        blocks: composeBlocks(page, words, body),
        hiddenText: composeBlocks({ runs: page.hiddenRuns, pictures: [], lineArt: noLineArt }, words).flatMap(
          paragraphsIn,
        ),
        backgroundPictures: page.pictures.filter(({ isBehindText }) => isBehindText),
      }),
    );
    return { pages: composed, margins: findMargins(group, body) };
  });
}

/** Returns the default style: the most common font and size. */
function defaultStyle(blocks: readonly Block[]): DefaultStyle {
  const paragraphs = blocks.flatMap(paragraphsIn);
  const size = mostCommonSize(paragraphs);
  const headingSize = (level: number): number =>
    paragraphs.find(({ heading }) => heading === level)?.size ?? size;
  return {
    family: mostCommon(paragraphs, ({ face }) => face.family, "Arial"),
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
