/** Converts the test documents of mammoth, written by Word and others, and compares the PDFs with mammoth's output. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWithMammoth } from "../../support/mammoth.js";
import { shareKept, wordsOf } from "../../support/words.js";
import { convert, readPages, renderPage, sampleDocuments, sampleFolder } from "./documents.js";

const bytesOf = (name: string): Buffer => readFileSync(join(sampleFolder, name));

it("finds documents to convert", () => {
  expect(sampleDocuments.length).toBeGreaterThanOrEqual(10);
});

describe.each(sampleDocuments)("%s", (name) => {
  it("keeps its words and external links, and is not drawn blank", async () => {
    const buffer = bytesOf(name);
    const pdf = await convert(new Uint8Array(buffer));
    const { html, text } = await readWithMammoth(buffer);
    const wanted = wordsOf(text);
    const pages = await readPages(pdf);
    const shown = pages.map((page) => page.text).join("\n");
    expect(shareKept(wanted, wordsOf(shown))).toBeGreaterThanOrEqual(0.95);
    const links = new Set(
      [...html.matchAll(/href="([^#"][^"]*)"/g)].map(([, address = ""]) => new URL(address).href),
    );
    expect(new Set(pages.flatMap((page) => page.links))).toEqual(links);
    if (wanted.length > 0 || html.includes("<img")) expect((await renderPage(pdf)).ink()).toBeGreaterThan(0);
  });
});
