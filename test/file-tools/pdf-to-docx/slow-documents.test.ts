import mammoth from "mammoth";
import { expect, it } from "vitest";
import { createPdfReader } from "../../../src/file-tools/pdf-to-docx/convert.js";
import { pdfOf } from "./documents.js";

it("keeps the pages of a slow document that are read in time, and names those that are left out", async () => {
  const pdf = await pdfOf(
    ["one", "two", "three"].map((text, at) => ({ text, ...(at > 0 ? { pageBreak: "before" } : {}) })),
  );
  const textWithin = async (budgetMs: number): Promise<string> =>
    (await mammoth.extractRawText({ buffer: Buffer.from(await createPdfReader(budgetMs)(pdf, {})) })).value;
  expect(await textWithin(Number.POSITIVE_INFINITY)).toMatch(/^one\s+two\s+three\s*$/);
  const text = (await textWithin(-1)).replace(/\s+/g, " ").trim();
  expect(text).toBe(
    "one Pages 2 to 3 are left out, because the conversion takes too long. Send the PDF in parts to convert all of its pages.",
  );
});
