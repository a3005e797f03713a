/** Normalises, hashes and compares answers to identity questions. */
import { scryptSync, timingSafeEqual } from "node:crypto";
import type { Random } from "../../time/random.js";
import { fold } from "../fold.js";

/** Interface: "The expected answer of an identity check is stored only as a one-way hash." */
export interface HashedAnswer {
  salt: string;
  /** Hex. */
  hash: string;
  /** Whether diacritics are ignored: switch `folded` of assumption identity.defaults when the question was asked. */
  folded: boolean;
}

/** Everything but letters, marks and digits. Unicode classes some apostrophes as letters. */
const ignored = /[^\p{L}\p{M}\p{N}]|[ʹʻʼˈ]/gu;

/**
 * Removes spaces and punctuation, and differences of case; assumption identity.answers. Comparing in capitals makes ß equal
 * to ss, ς to σ, and İ, I, ı and i equal, as the language of the text is unknown. Lower case first handles ẞ and İ.
 */
export function normaliseAnswer(answer: string, folded: boolean): string {
  const letters = answer.normalize("NFC").replace(ignored, "");
  const capitals = letters.toLowerCase().toUpperCase().replaceAll("I\u0307", "I");
  // Upper-casing can add an apostrophe (ŉ) and combining marks (ΐ).
  const plain = capitals.replace(ignored, "").normalize("NFC");
  return folded ? fold(plain) : plain;
}

const hashBytes = 32;

/** Slow enough to deter guessing, and fast enough (a few ms) for a request. */
const scryptOptions = { N: 1024, r: 8, p: 1 };

const scryptHash = (answer: string, { salt, folded }: Omit<HashedAnswer, "hash">): Buffer =>
  scryptSync(normaliseAnswer(answer, folded), salt, hashBytes, scryptOptions);

/** Hashes the expected answer for storage. */
export function hashAnswer(expected: string, folded: boolean, random: Random): HashedAnswer {
  const salt = random.letters(32);
  return { salt, hash: scryptHash(expected, { salt, folded }).toString("hex"), folded };
}

/** Returns whether the answer is the expected one. Compares in constant time. */
export function isExpected(answer: string, expected: HashedAnswer): boolean {
  const known = Buffer.from(expected.hash, "hex");
  const given = scryptHash(answer, expected);
  return known.length === given.length && timingSafeEqual(known, given);
}
