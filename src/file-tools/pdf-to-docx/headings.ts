/** Detects headings by their font size. The two largest sizes are levels 1 and 2, all others level 3. */
import type { Block, Paragraph } from "./page-model.js";

/** Minimum size of a heading, as a ratio of the body text's. */
const minSizeRatio = 1.12;
const maxLines = 3;
const maxLetters = 200;

const textLength = (paragraph: Paragraph): number =>
  paragraph.spans.reduce((sum, { text }) => sum + text.length, 0);

export function markHeadings(blocks: readonly Block[]): void {
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

/** Returns the font size of most letters. */
export function mostCommonSize(paragraphs: readonly Paragraph[]): number {
  const letters = new Map<number, number>();
  for (const { spans } of paragraphs)
    for (const { size, text } of spans) letters.set(size, (letters.get(size) ?? 0) + text.length);
  return [...letters].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 11;
}

function isHeading(paragraph: Paragraph, body: number): boolean {
  const text = paragraph.spans.map((span) => span.text).join("");
  return (
    paragraph.size >= minSizeRatio * body &&
    paragraph.lines <= maxLines &&
    text.length <= maxLetters &&
    /\p{L}/u.test(text)
  );
}
