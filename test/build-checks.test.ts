import { expect, test } from "vitest";
import { escapePatterns } from "../build/escape-patterns.mjs";
import { requireSingleCopies } from "../build/single-copies.mjs";

test.each([
  ["var a = /[\u02bc\u2026]/u;", "var a = /[\\u02bc\\u2026]/u;"],
  ["var a = /\\\u00e9|\\\\\u00e9/;", "var a = /\\u00e9|\\\\\\u00e9/;"],
  ["var a = /\u{1f600}/u;", "var a = /\\ud83d\\ude00/u;"],
  ["var a = html`<p>\u00b7</p>`;", "var a = html`<p>\\u00b7</p>`;"],
])("the built program has escapes of characters outside ASCII: %s", (text, escaped) => {
  expect(escapePatterns(text, "program.cjs")).toBe(escaped);
});

test.each(["var a = String.raw`\u00e9`;", "// \u00e9", 'var a = "\u00e9";'])(
  "the build fails on text that the loader would read wrongly: %s",
  (text) => {
    expect(() => escapePatterns(text, "program.cjs")).toThrow(
      /^program\.cjs: the loader would read this text/,
    );
  },
);

test("the build fails if a module is in two files of one process", () => {
  const input = { bytesInOutput: 1 };
  const output = { bytes: 1, imports: [], exports: [] };
  const build = (...modules: string[]) => ({
    metafile: {
      inputs: {},
      outputs: Object.fromEntries(
        modules.map((module, at) => [`${at}.cjs`, { ...output, inputs: { [module]: input } }]),
      ),
    },
  });
  expect(() => requireSingleCopies([build("src/a.ts", "src/b.ts")])).not.toThrow();
  expect(() => requireSingleCopies([build("src/a.ts", "src/a.ts")])).toThrow(
    "src/a.ts is in 0.cjs and in 1.cjs",
  );
});
