/** Scans of texts: the signals of a text, and the operation. */

import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import { fold } from "../fold.js";
import { operation } from "../operation.js";
import { applyRules, type MediaFinding, saveScan, scan, scanOutcomes, TextScan } from "./scans.js";

// Signals of a text: the variation of its sentences, the richness of its vocabulary, and repetition.

/** Maximum number of words that are read, because a text may be a megabyte long. */
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

/**
 * Matches the end of a sentence. It matches a single mark, so that a long run of marks is scanned only once; fold()
 * drops the others.
 */
const sentenceEnd = /[.!?…]["'”’)]?(?=\s|$)|\n\s*\n/u;

function measureText(text: string): TextFigures {
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

function textFindings({
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
  const stockLevel = `${stock.toFixed(1)} per 1,000 words`;
  return applyRules("text", {
    uniform: variation < 0.35 && lengths,
    varied: variation > 0.55 && lengths,
    poor: richness < 55 && words,
    rich: richness > 72 && words,
    repeated: repeated > 0.08 && `${percent(repeated)} of the four-word phrases`,
    stock: stock >= 4 && stock < 10 && stockLevel,
    many_stock: stock >= 10 && stockLevel,
  });
}

/** Name of the simulated classifier. */
const classifier_model = "standin-text-1";

const minCharacters = 800;
/** End of the sentence "text must be ...". */
const lengthRule = `at least ${minCharacters} characters long`;

/** Matches halves of surrogate pairs without the other half, which are not characters. */
const loneSurrogates = /\p{Surrogate}/gu;

/** Text that is repeated to reach the minimum length. */
const exampleText = "The market opens at six, when the first lorries arrive with yams, peppers and fish. "
  .repeat(10)
  .trim();

export const scanText = operation({
  id: "scanText",
  route: "POST /v1/media-scan/text",
  summary: "Scan a text for AI generation",
  description: "The first scan of an account is free.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    text: Type.String({
      minLength: minCharacters,
      description: "Spaces at the beginning and the end do not count",
      examples: [exampleText],
      ...coded("text_too_short", lengthRule),
    }),
  }),
  reply: { 201: TextScan },
  refuses: ["text_too_short"],
  outcomes: scanOutcomes,
  price: "media_text",
  freeFirst: ["media_text"],
  assumptions: ["media.signals"],

  handle(call) {
    const text = call.body.text.replace(loneSurrogates, "").trim();
    const text_char_count = [...text].length;
    if (text_char_count < minCharacters) {
      const message = `text must be ${lengthRule}; without spaces at its ends it has ${text_char_count}.`;
      call.refuse("text_too_short", { param: "text", message });
    }
    const findings = textFindings(measureText(text));
    const own = { classifier_model, text_char_count };
    return scan.view(saveScan(call, "text", findings, own)) as Type.Static<typeof TextScan>;
  },
});
