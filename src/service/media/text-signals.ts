/** Measures a text: how its sentences vary, how rich its words are, and what it repeats. */
import { fold } from "../fold.js";
import { type Add, collectFindings, type Finding } from "./findings.js";

/** Words beyond these are not counted: a text may have a megabyte. */
const mostWords = 20_000;

export interface TextFigures {
  sentences: number;
  /** Words of a sentence on average, and the standard deviation as a part of that. */
  meanLength: number;
  variation: number;
  /** Different words of every hundred, on average over windows of a hundred. */
  richness: number;
  /** Part of the four-word phrases that occur more than once. */
  repeated: number;
  /** Phrases that language models are fond of, for each thousand words. */
  stock: number;
}

const stockPhrases =
  /\b(?:delve into|it is important to note|in conclusion|furthermore|moreover|in todays (?:fast paced|digital) world|plays a (?:crucial|vital|pivotal) role|a testament to|navigat\w+ the complexit\w+|rich tapestry|unlock\w* the potential|ever evolving|game changer|seamless(?:ly)?|leverag\w+|comprehensive (?:guide|overview))\b/g;

/** One mark alone, so that a million of them in a row is looked through once; the others fold away. */
const sentenceEnd = /[.!?…]["'”’)]?(?=\s|$)|\n\s*\n/u;

export function measureText(text: string): TextFigures {
  const lengths = text
    .split(sentenceEnd)
    .map((sentence) => wordsIn(sentence).length)
    .filter((length) => length > 0);
  const words = wordsIn(text);
  const meanLength = mean(lengths);
  const deviation = Math.sqrt(mean(lengths.map((length) => (length - meanLength) ** 2)));
  return {
    sentences: lengths.length,
    meanLength,
    variation: meanLength === 0 ? 0 : deviation / meanLength,
    richness: richnessOf(words),
    repeated: repeatedIn(words),
    stock: ((words.join(" ").match(stockPhrases)?.length ?? 0) / Math.max(1, words.length)) * 1000,
  };
}

const wordsIn = (text: string): string[] => fold(text).split(" ").filter(Boolean).slice(0, mostWords);

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

const windowLength = 100;

function richnessOf(words: readonly string[]): number {
  const windows: number[] = [];
  for (let start = 0; start === 0 || start + windowLength <= words.length; start += windowLength) {
    const window = words.slice(start, start + windowLength);
    windows.push((new Set(window).size / Math.max(1, window.length)) * 100);
  }
  return mean(windows);
}

function repeatedIn(words: readonly string[]): number {
  const counts = new Map<string, number>();
  for (let at = 0; at + 4 <= words.length; at++) {
    const phrase = words.slice(at, at + 4).join(" ");
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const all = words.length - 3;
  const repeated = [...counts.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0);
  return all <= 0 ? 0 : repeated / all;
}

const percent = (part: number): string => `${Math.round(part * 100)} percent`;

export const textFindings = (figures: TextFigures): Finding[] =>
  collectFindings((add) => {
    addSentences(figures, add);
    addWords(figures, add);
  });

function addSentences({ variation, sentences, meanLength }: TextFigures, add: Add): void {
  const length = `${sentences} sentences of ${meanLength.toFixed(1)} words on average, deviation ${percent(variation)}`;
  if (sentences >= 5 && variation < 0.35)
    add(
      "likely_ai",
      "statistics",
      "moderate",
      "Even sentences",
      "People vary the length of their sentences more.",
      length,
    );
  if (sentences >= 5 && variation > 0.55)
    add(
      "likely_authentic",
      "statistics",
      "moderate",
      "Lively sentences",
      "Short and long sentences take turns, as people write.",
      length,
    );
}

function addWords({ richness, repeated, stock }: TextFigures, add: Add): void {
  const words = `${Math.round(richness)} different words of every 100`;
  if (richness < 55)
    add("likely_ai", "statistics", "weak", "Poor vocabulary", "The same words come back often.", words);
  if (richness > 72)
    add("likely_authentic", "statistics", "weak", "Rich vocabulary", "Few words come back.", words);
  if (repeated > 0.08)
    add(
      "likely_ai",
      "statistics",
      "moderate",
      "Repeated phrases",
      "Whole phrases come back word for word.",
      `${percent(repeated)} of the four-word phrases`,
    );
  if (stock >= 4)
    add(
      "likely_ai",
      "statistics",
      stock >= 10 ? "strong" : "moderate",
      "Stock phrases",
      "Phrases that language models are fond of.",
      `${stock.toFixed(1)} in 1,000 words`,
    );
}
