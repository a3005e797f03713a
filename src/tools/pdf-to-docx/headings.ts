/** Headings are known by letters larger than the text's: the three largest sizes are the three levels. */
import type { Block, Paragraph } from "./model.js";

/** Of the text's size. */
const larger = 1.12;
const mostLines = 3;
const mostLetters = 200;

const lettersOf = (paragraph: Paragraph): number =>
  paragraph.spans.reduce((sum, { text }) => sum + text.length, 0);

export function markHeadings(blocks: readonly Block[]): void {
  const paragraphs = blocks.filter((block) => block.kind === "paragraph");
  const body = bodySizeOf(paragraphs);
  const headings = paragraphs.filter((paragraph) => isHeading(paragraph, body));
  // Slides and posters are all large letters.
  const share = headings.reduce((sum, heading) => sum + lettersOf(heading), 0);
  if (share > 0.5 * paragraphs.reduce((sum, paragraph) => sum + lettersOf(paragraph), 0)) return;
  const sizes = [...new Set(headings.map(({ size }) => Math.round(size)))].sort((a, b) => b - a);
  for (const heading of headings)
    heading.heading = Math.min(3, sizes.indexOf(Math.round(heading.size)) + 1) as 1 | 2 | 3;
}

/** The size that most letters have. */
export function bodySizeOf(paragraphs: readonly Paragraph[]): number {
  const letters = new Map<number, number>();
  for (const { spans } of paragraphs)
    for (const { size, text } of spans) letters.set(size, (letters.get(size) ?? 0) + text.length);
  return [...letters].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 11;
}

function isHeading(paragraph: Paragraph, body: number): boolean {
  const text = paragraph.spans.map((span) => span.text).join("");
  return (
    paragraph.size >= larger * body &&
    paragraph.lines <= mostLines &&
    text.length <= mostLetters &&
    /\p{L}/u.test(text)
  );
}
