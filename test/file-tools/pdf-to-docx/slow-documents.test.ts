import mammoth from "mammoth";
import { expect, it } from "vitest";
import { ConversionReport } from "../../../src/file-tools/engine.js";
import { createPdfReader } from "../../../src/file-tools/pdf-to-docx/convert.js";
import { pdfOf } from "./documents.js";

it("keeps the pages of a slow document that are read in time, and counts those that are left out", async () => {
  const pdf = await pdfOf(
    ["one", "two", "three"].map((text, at) => ({ text, ...(at > 0 ? { pageBreak: "before" } : {}) })),
  );
  const convertWithin = async (budgetMs: number): Promise<[text: string, leftOut: string | null]> => {
    const report = new ConversionReport();
    const buffer = Buffer.from(await createPdfReader(budgetMs)(pdf, {}, report));
    return [
      (await mammoth.extractRawText({ buffer })).value.replace(/\s+/g, " ").trim(),
      report.describeLeftOut(),
    ];
  };
  expect(await convertWithin(Number.POSITIVE_INFINITY)).toEqual(["one two three", null]);
  expect(await convertWithin(-1)).toEqual(["one", "2 pages"]);
});
