/** Answers to identity questions: what counts in them, and the one-way hash that is all that is kept of the expected one. */
import { scryptSync, timingSafeEqual } from "node:crypto";
import type { Random } from "../../world/time/random.js";
import { fold } from "../fold.js";

/** Interface: "The expected answer of an identity check is stored only as a one-way hash." */
export interface ExpectedAnswer {
  salt: string;
  /** Hex. */
  hash: string;
  /** Switch `folded` of assumption identity.defaults, as it was when the question was asked. */
  folded: boolean;
}

/** Punctuation, spaces and what nobody sees; some apostrophes are letters or symbols to Unicode. */
const ignored = /[\p{P}\p{Z}\p{Cc}\p{Cf}`´ʹʻʼˈ]/gu;

/**
 * Capital letters, spaces and punctuation do not count; assumption identity.answers. All is compared in capitals, so that
 * ß is ss, ς is σ, and İ, I, ı and i are one: the text does not tell its language. Lower case first, for ẞ and İ.
 */
export function normalAnswer(answer: string, folded: boolean): string {
  const letters = answer.normalize("NFC").replace(ignored, "");
  const capitals = letters.toLowerCase().toUpperCase().replaceAll("I\u0307", "I");
  // Capitals bring an apostrophe of their own (ŉ), and marks that stand apart (ΐ).
  const plain = capitals.replace(ignored, "").normalize("NFC");
  return folded ? fold(plain) : plain;
}

const hashBytes = 32;

/** Slow enough to make guessing dear, quick enough (a few ms) to hold nobody up. */
const cost = { N: 1024, r: 8, p: 1 };

const hashOf = (answer: string, { salt, folded }: Omit<ExpectedAnswer, "hash">): Buffer =>
  scryptSync(normalAnswer(answer, folded), salt, hashBytes, cost);

/** Inside a commit: what is kept of the expected answer. */
export function seal(expected: string, folded: boolean, random: Random): ExpectedAnswer {
  const salt = random.letters(32);
  return { salt, hash: hashOf(expected, { salt, folded }).toString("hex"), folded };
}

/** In constant time. */
export function isExpected(answer: string, expected: ExpectedAnswer): boolean {
  const known = Buffer.from(expected.hash, "hex");
  const given = hashOf(answer, expected);
  return known.length === given.length && timingSafeEqual(known, given);
}
