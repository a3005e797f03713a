/** Signals of a text: the variation of its sentences, the richness of its vocabulary, and repetition. */
import { fold } from "../fold.js";
import { applyRules, type MediaFinding } from "./findings.js";

/** Further words are ignored; a text may be a megabyte long. */
const maxWords = 20_000;

export interface TextFigures {
  sentences: number;
  /** Mean number of words per sentence. */
  meanLength: number;
  /** Standard deviation of the sentence length, relative to the mean. */
  variation: number;
  /** Distinct words per hundred, averaged over windows of a hundred words. */
  richness: number;
  /** Fraction of the four-word phrases that occur more than once. */
  repeated: number;
  /** Phrases that language models overuse, per thousand words. */
  stock: number;
}

const stockPhrases =
  /\b(?:delve into|it is important to note|in conclusion|furthermore|moreover|in todays (?:fast paced|digital) world|plays a (?:crucial|vital|pivotal) role|a testament to|navigat\w+ the complexit\w+|rich tapestry|unlock\w* the potential|ever evolving|game changer|seamless(?:ly)?|leverag\w+|comprehensive (?:guide|overview))\b/g;

/** Matches a single mark, so that a long run of marks is scanned only once; fold() drops the others. */
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
    repeated: repeatedFraction(words),
    stock: ((words.join(" ").match(stockPhrases)?.length ?? 0) / Math.max(1, words.length)) * 1000,
  };
}

const wordsIn = (text: string): string[] => fold(text).split(" ").filter(Boolean).slice(0, maxWords);

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

function repeatedFraction(words: readonly string[]): number {
  const counts = new Map<string, number>();
  for (let at = 0; at + 4 <= words.length; at++) {
    const phrase = words.slice(at, at + 4).join(" ");
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const all = words.length - 3;
  const repeated = [...counts.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0);
  return all <= 0 ? 0 : repeated / all;
}

const percent = (fraction: number): string => `${Math.round(fraction * 100)} percent`;

export function textFindings({
  variation,
  sentences,
  meanLength,
  richness,
  repeated,
  stock,
}: TextFigures): MediaFinding[] {
  const lengths =
    sentences >= 5 &&
    `${sentences} sentences of ${meanLength.toFixed(1)} words on average, deviation ${percent(variation)}`;
  const words = `${Math.round(richness)} different words per 100`;
  return applyRules([
    [
      variation < 0.35 && lengths,
      "likely_ai",
      "statistics",
      "moderate",
      "Uniform sentences",
      "People vary the length of their sentences more.",
    ],
    [
      variation > 0.55 && lengths,
      "likely_authentic",
      "statistics",
      "moderate",
      "Varied sentences",
      "Short and long sentences alternate, as people write.",
    ],
    [
      richness < 55 && words,
      "likely_ai",
      "statistics",
      "weak",
      "Poor vocabulary",
      "The same words recur often.",
    ],
    [richness > 72 && words, "likely_authentic", "statistics", "weak", "Rich vocabulary", "Few words recur."],
    [
      repeated > 0.08 && `${percent(repeated)} of the four-word phrases`,
      "likely_ai",
      "statistics",
      "moderate",
      "Repeated phrases",
      "Whole phrases recur word for word.",
    ],
    [
      stock >= 4 && `${stock.toFixed(1)} per 1,000 words`,
      "likely_ai",
      "statistics",
      stock >= 10 ? "strong" : "moderate",
      "Stock phrases",
      "The text has phrases that language models overuse.",
    ],
  ]);
}
