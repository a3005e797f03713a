import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { send } from "./checks.js";

const sandbox = useSandbox();

interface Names {
  first_name?: string;
  last_name?: string;
  date_of_birth?: string;
}

/** Numbers of people of fixtures/people.json. */
const adaeze = "22301948576";
const adebayo = "22187340926";
const emeka = "22250817349";
const hauwa = "22560193847";
const birth = "1990-04-12";

async function compare(bvn: string, submitted: Names) {
  const { body, headers } = await send(sandbox.account(), "verifyBvn", { bvn, ...submitted });
  const { match, confidence_score } = body;
  return { match, score: confidence_score as number, decided: headers.get("X-Sandbox-Outcome") };
}

const names = (first_name?: string, last_name?: string, date_of_birth?: string): Names => ({
  ...(first_name === undefined ? {} : { first_name }),
  ...(last_name === undefined ? {} : { last_name }),
  ...(date_of_birth === undefined ? {} : { date_of_birth }),
});

const full: [why: string, bvn: string, Names][] = [
  ["nothing submitted", adaeze, {}],
  ["both names", adaeze, names("Adaeze", "Okafor")],
  ["the names in each other's place", adaeze, names("Okafor", "Adaeze")],
  ["the middle name among the first ones", adaeze, names("Adaeze Ngozi", "Okafor")],
  ["small letters", adaeze, names("adaeze", "okafor")],
  ["spaces around them", adaeze, names("  Adaeze ", "\tOkafor\n")],
  ["a title", adaeze, names("Mrs. Adaeze", "Okafor")],
  ["two titles", adaeze, names("Chief Dr Adaeze", "Okafor")],
  ["names without their diacritics", adebayo, names("Adebayo", "Ogunleye")],
  ["names with their diacritics", adebayo, names("Adébáyọ̀", "Ògúnlẹ́yẹ")],
  ["a space for a hyphen", emeka, names("Chukwuemeka", "Nwosu Eze")],
  ["nothing for an apostrophe", hauwa, names("Hauwau", "Yakubu")],
  ["one typographic apostrophe", hauwa, names("Hauwa’u", "Yakubu")],
  ["the first name only", adaeze, names("Adaeze")],
  ["the family name only", adaeze, names(undefined, "Okafor")],
  ["an empty name beside a right one", adaeze, names("", "Okafor")],
  ["blanks alone", adaeze, names(" ", " ")],
  ["a right birth date only", adaeze, names(undefined, undefined, birth)],
  ["everything", adaeze, names("Adaeze", "Okafor", birth)],
];

describe("agrees fully and scores 100", () => {
  test.each(full)("%s", async (_why, bvn, submitted) => {
    expect(await compare(bvn, submitted)).toEqual({ match: true, score: 100, decided: "match; by=people" });
  });
});

const near: [why: string, bvn: string, Names][] = [
  ["an initial for the first name", adaeze, names("A.", "Okafor")],
  ["an initial for the middle name", adaeze, names("Adaeze N.", "Okafor")],
  ["the short form of a name", emeka, names("Emeka", "Nwosu-Eze")],
  ["one letter left out", adaeze, names("Adaeze", "Okafo")],
  ["two names that are both initials", adaeze, names("A", "O")],
];

describe("agrees well enough for a match, and less than fully", () => {
  test.each(near)("%s", async (_why, bvn, submitted) => {
    const { match, score, decided } = await compare(bvn, submitted);
    expect({ match, decided }).toEqual({ match: true, decided: "match; by=people" });
    expect(score).toBeGreaterThanOrEqual(80);
    expect(score).toBeLessThan(100);
  });
});

const partial: [why: string, bvn: string, Names][] = [
  ["right names and a wrong birth date", adaeze, names("Adaeze", "Okafor", "1990-04-13")],
  ["the middle name in place of the first", adaeze, names("Ngozi")],
  ["a right birth date and another first name", adaeze, names("Zainab", "Okafor", birth)],
];

describe("agrees in part", () => {
  test.each(partial)("%s", async (_why, bvn, submitted) => {
    const { match, score, decided } = await compare(bvn, submitted);
    expect({ match, decided }).toEqual({ match: false, decided: "partial_match; by=people" });
    expect(score).toBeGreaterThanOrEqual(50);
    expect(score).toBeLessThan(80);
  });
});

const none: [why: string, bvn: string, Names][] = [
  ["another person's names", adaeze, names("Musa", "Ibrahim")],
  ["another person's names and birth date", adaeze, names("Musa", "Ibrahim", "1995-01-19")],
  ["another person's names and the right birth date", adaeze, names("Musa", "Ibrahim", birth)],
  ["a wrong birth date only", adaeze, names(undefined, undefined, "1990-04-13")],
  ["the family name in common with a brother", adaeze, names("Emeka", "Okafor")],
  ["another family name only", adaeze, names(undefined, "Ibrahim")],
  ["the first name as the family name only", adaeze, names(undefined, "Adaeze")],
];

describe("does not agree", () => {
  test.each(none)("%s", async (_why, bvn, submitted) => {
    const { match, score, decided } = await compare(bvn, submitted);
    expect({ match, decided }).toEqual({ match: false, decided: "no_match; by=people" });
    expect(score).toBeLessThan(50);
  });
});

test("a birth date counts 30 of 100", async () => {
  expect((await compare(adaeze, names("Adaeze", "Okafor", "2001-01-01"))).score).toBe(70);
  expect((await compare(adaeze, names("Musa", "Ibrahim", birth))).score).toBe(30);
});

/** Similar names, whose scores approach the thresholds from both sides. */
const given = ["Adaeze", "Adaeza", "Adeze", "Ada", "Adama", "Adaobi"];
const family = ["Okafor", "Okafo", "Obafor", "Okpara", "Okoro", "Okoye", "Okeke"];
const dates = [undefined, birth, "1991-04-12"];

test("a match begins at 80 and a partial match at 50", async () => {
  const submitted = given.flatMap((first) =>
    family.flatMap((last) => dates.map((date) => names(first, last, date))),
  );
  const results = await Promise.all(submitted.map((input) => compare(adaeze, input)));
  for (const { match, score, decided } of results) {
    const outcome = score >= 80 ? "match" : score >= 50 ? "partial_match" : "no_match";
    expect({ score, match, decided }).toEqual({
      score,
      match: outcome === "match",
      decided: `${outcome}; by=people`,
    });
  }
  const scores = results.map(({ score }) => score);
  for (const [least, most] of [
    [46, 49],
    [50, 53],
    [76, 79],
    [80, 83],
  ] as const)
    expect(
      scores.some((score) => score >= least && score <= most),
      `${least} to ${most}`,
    ).toBe(true);
});

describe("the same names score the same", () => {
  test.each([names("A.", "Okafor"), names("Ngozi"), names("Musa", "Ibrahim"), names("Adaeze", "Okafor")])(
    "%j, whether BVN, NIN or licence is looked up",
    async (submitted) => {
      const account = sandbox.account();
      const replies = [
        await send(account, "verifyBvn", { bvn: adaeze, ...submitted }),
        await send(account, "verifyNin", { nin: "35402817694", ...submitted }),
        await send(account, "verifyFrsc", { licence_number: "LSR48213AA05", ...submitted }),
      ];
      const [score] = replies.map(({ body }) => body.confidence_score);
      expect(replies.map(({ body }) => body.confidence_score)).toEqual([score, score, score]);
      expect(new Set(replies.map(({ body }) => body.match)).size).toBe(1);
    },
  );
});

test("a reply never shows the submitted names as a known person's", async () => {
  const { body } = await send(sandbox.account(), "verifyNin", {
    nin: "35402817694",
    first_name: "Musa",
    last_name: "Ibrahim",
  });
  expect(body.data).toMatchObject({ first_name: "Adaeze", last_name: "Okafor" });
});
