import { describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { mainLine } from "./line.js";

const sandbox = useSandbox();

/** Returns the state of a question with this expected answer after it was answered. */
async function judged(of: Pick<Sandbox, "account">, expected: string, answer: string): Promise<string> {
  const line = await mainLine(of.account());
  const id = await line.question({ expected });
  await line.hears(answer);
  return (await line.result(id)).status;
}

const decomposed = (text: string): string => text.normalize("NFD");
const composed = (text: string): string => text.normalize("NFC");

describe("the following are the same answer:", () => {
  test.each<[what: string, expected: string, answer: string]>([
    ["other capitals", "Ngozi", "nGOZI"],
    ["spaces around, between and missing", "Ngozi Adaeze", "  ngoziADAEZE  "],
    ["wide and unbreakable spaces", "Ngozi Adaeze", "Ngozi\u00a0\u3000Adaeze"],
    ["line breaks and tabs", "12 Allen Avenue", "12\nAllen\tAvenue\r\n"],
    ["punctuation", "St. Mary's, Ikeja", "st marys ikeja"],
    ["dashes of every kind", "Okafor-Obi", "Okafor – Obi—"],
    ["quotation marks", "Lagos", "“Lagos”"],
    ["Yorùbá with its tones, composed and decomposed", composed("Adébáyọ̀"), decomposed("ADÉBÁYỌ̀")],
    ["Yorùbá, expected decomposed", decomposed("Ẹ̀gbẹ́"), composed("ẹ̀gbẹ́")],
    ["Igbo with its dots", composed("Ụzọamaka Ọkọlị"), decomposed("ụZỌAMAKA ỌKỌLỊ")],
    ["Hausa hooked letters", "Ɓagwai Ƙofar Ɗan Ƴaya", "ɓagwai ƙofar ɗan ƴaya"],
    ["Hausa apostrophes, however they are typed", "Sa'adatu", "saʼadatu"],
    ["curly apostrophes", "N’Golo", "N'golo"],
    ["accents standing alone for apostrophes", "Ma`aji", "Ma´aji"],
    ["symbols", "A+B <C> = $5 | ~`^", "ab c5"],
    ["invisible characters", "Ngozi", "N\u200bgo\u00adzi\ufeff"],
    ["German sharp s in capitals", "Straße", "STRASSE"],
    ["German sharp s as a capital", "STRAẞE", "straße"],
    ["German umlauts", "Jürgen", "JÜRGEN"],
    ["Turkish dotted capital", "İstanbul", "istanbul"],
    ["Turkish without dots in capitals", "Işık", "IŞIK"],
    ["Turkish with dots, composed and decomposed", decomposed("İzmir"), "İZMİR"],
    ["Greek final sigma", "Οδυσσεύς", "ΟΔΥΣΣΕΎΣ"],
    ["Greek final sigma before a space", "Νίκος Σ", "νίκοςσ"],
    ["Greek with two marks, which has no capital of its own", "ΐ", "Ϊ́"],
    ["Greek with its marks in another order", "ᾴ", "α\u0345\u0301"],
    ["the Afrikaans article, whose capital is in two parts", "ŉ", "ʼN"],
    ["Arabic", "مُحَمَّد عليّ", "مُحَمَّد عليّ"],
    ["digits", "0803 123-4567", "08031234567"],
  ])("%s", async (_what, expected, answer) => {
    expect(await judged(sandbox, expected, answer)).toBe("verified");
    expect(await judged(sandbox, answer, expected)).toBe("verified");
  });
});

describe("the following are different answers:", () => {
  test.each<[what: string, expected: string, answer: string]>([
    ["another word", "Ngozi", "Chidi"],
    ["a part of it", "Ngozi Adaeze", "Ngozi"],
    ["more than it", "Ngozi", "Ngozi Adaeze"],
    ["the words the other way round", "Ngozi Adaeze", "Adaeze Ngozi"],
    ["without the tones", "Adébáyọ̀", "Adebayo"],
    ["without the dots", "Ụzọamaka", "Uzoamaka"],
    ["with another tone", "ọ̀kọ́", "ọkọ̀"],
    ["without the hooks", "Ɗangote", "Dangote"],
    ["punctuation alone", "Ngozi", "?!"],
  ])("%s", async (_what, expected, answer) => {
    expect(await judged(sandbox, expected, answer)).toBe("pending");
    expect(await judged(sandbox, answer === "?!" ? "x" : answer, expected)).toBe("pending");
  });
});

describe("with identity.defaults=folded, diacritics are ignored:", () => {
  const folding = useSandbox({ assumptions: { "identity.defaults": "folded" } });
  test.each([
    ["Adébáyọ̀", "adebayo"],
    ["Ụzọamaka Ọkọlị", "UZOAMAKA OKOLI"],
    ["Ɗan Ƙofa Ƴaya Ɓagwai", "dan kofa yaya bagwai"],
    ["Jürgen Groß", "jurgen gross"],
    ["Işık", "isik"],
  ])("%s is %s", async (expected, answer) => {
    expect(await judged(folding, expected, answer)).toBe("verified");
    expect(await judged(folding, answer, expected)).toBe("verified");
    expect(await judged(folding, expected, `${answer}x`)).toBe("pending");
  });

  test("an expected answer of only diacritics is refused", async () => {
    const line = await mainLine(folding.account());
    expect((await line.askIdentity({ expected: "\u0301" })).body.error.param).toBe("expected");
  });
});

test("a question keeps the rule under which it was asked when the account moves to another sandbox", async () => {
  const from = sandbox.account();
  const line = await mainLine(from);
  const id = await line.question({ expected: "Adé" });
  const folding = await startSandbox({
    assumptions: { "identity.defaults": "folded" },
    validateReplies: true,
  });
  try {
    const to = folding.account();
    await to.restore(await from.snapshot());
    const there = await mainLine(to);
    await there.hears("Ade");
    expect(await there.result(id)).toMatchObject({ status: "pending", attempts: 1 });
    await there.hears("ADÉ");
    expect(await there.result(id)).toMatchObject({ status: "verified" });
  } finally {
    await folding.close();
  }
});
