import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameSimilarity } from "../../../src/service/identity/name-similarity.js";

describe("the similarity of two names is 100", () => {
  test.each([
    ["Ada Okafor", "ADA OKAFOR"],
    ["Adébáyọ̀ Ògúnlẹ́yẹ", "Ogunleye Adebayo"],
    ["Ɗanjuma Yakubu", "Danjuma Yakubu"],
    ["Chief Dr. Ada Okafor", "Mrs Ada Okafor"],
    ["Ada Nwosu-Eze", "Ada Nwosu Eze"],
    ["Abdul-Rahman Musa", "Abdulrahman Musa"],
    ["Hauwa'u Yakubu", "Hauwau Yakubu"],
    ["Prince Okafor", "Okafor, Prince"],
  ])("for %s and %s", (a, b) => expect(nameSimilarity(a, b)).toBe(100));
});

describe("the similarity of two names is 85 to 98", () => {
  test.each([
    ["Adebayo Ojo", "Adebayor Ojo", "one letter more"],
    ["Mohammed Bello", "Muhammad Bello", "two spellings"],
    ["Blessing Eze", "Blessing Ezeh", "two spellings"],
    ["Ada Bola Okafor", "Ada Okafor", "a missing middle name"],
    ["Ada Bola Okafor", "Ada B. Okafor", "an initial"],
    ["Ada Bola Okafor", "A. B. Okafor", "two initials"],
    ["Oluwaseun Adeyemi", "Seun Adeyemi", "a short form"],
    ["Ada Okafor", "Ada Okafor-Bello", "a second family name"],
  ])("for %s and %s: %s", (a, b) => {
    expect(nameSimilarity(a, b)).toBeGreaterThanOrEqual(85);
    expect(nameSimilarity(a, b)).toBeLessThanOrEqual(98);
  });
});

describe("the similarity of two names is under 50", () => {
  test.each([
    ["Ngozi Okafor", "Chinedu Okeke"],
    ["Ibrahim Musa", "Abraham Moses"],
    ["Ngozi Okafor", "Emeka Okafor"],
    ["A. Okafor", "Ngozi Okafor"],
    ["Segun Ade", "Tunde Bakare"],
    ["", "Ada Okafor"],
    ["", ""],
  ])("for %j and %j", (a, b) => expect(nameSimilarity(a, b)).toBeLessThan(50));
});

test("a family name alone is in between: neither the same person nor a different one", () => {
  expect(nameSimilarity("Okafor", "Ngozi Okafor")).toBe(60);
});

const word = fc.stringMatching(/^[A-Za-z]{1,12}$/);
const name = fc.array(word, { minLength: 1, maxLength: 7 }).map((words) => words.join(" "));

test("it is symmetric, an integer, and between 0 and 100", () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      const score = nameSimilarity(a, b);
      expect(nameSimilarity(b, a)).toBe(score);
      expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
    }),
  );
});

test("a name in any script is similar to itself", () => {
  fc.assert(
    fc.property(name, (a) => {
      expect(nameSimilarity(a, a.toUpperCase())).toBe(100);
    }),
  );
});

test("a hostile name is compared quickly", () => {
  const long = "adebayo ".repeat(10_000);
  expect(nameSimilarity(long, "musa ".repeat(10_000))).toBe(0);
  expect(nameSimilarity("x".repeat(100_000), "y".repeat(100_000))).toBe(0);
});
