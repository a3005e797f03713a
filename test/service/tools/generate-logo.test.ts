import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { post, useSandbox } from "../../support/sandbox.js";
import { type Element, parseElement } from "../../support/xml.js";

const sandbox = useSandbox();
const path = "/v1/tools/generate-logo";
const styles = ["monogram", "badge", "abstract", "wordmark"] as const;
const usual = {
  company_name: "Ada Stores",
  style: "badge",
  primary_color: "#0F766E",
  secondary_color: "#F59E0B",
  size: 256,
};
const logo = async (fields: object = {}) =>
  (await post(sandbox.account(), path, { ...usual, ...fields })).body as string;

/** Renders the SVG without script support. */
async function pixels(svg: string) {
  const { data, info } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, ...info };
}

describe.each(styles)("a logo in the style %s", (style) => {
  test("is well-formed SVG of the requested size, with a title for screen readers", async () => {
    const svg = await logo({ style, size: 300 });
    const root = parseElement(svg);
    expect(root).toMatchObject({
      name: "svg",
      attributes: { width: "300", height: "300", role: "img" },
    });
    const id = root.attributes["aria-labelledby"];
    expect(svg).toContain(`<title id="${id}">Ada Stores logo</title>`);
    expect(await pixels(svg)).toMatchObject({ width: 300, height: 300 });
  });

  test("has the size that was asked for, however large", async () => {
    const { attributes } = parseElement(await logo({ style, size: 1e308 }));
    expect([attributes.width, attributes.height]).toEqual(["1e+308", "1e+308"]);
  });

  test("has both given colours", async () => {
    const svg = await logo({ style, primary_color: "#123abc", secondary_color: "#fd3" });
    expect(svg).toContain('"#123abc"');
    expect(svg).toContain('"#fd3"');
  });

  test("has numbers of two decimals at most", async () => {
    for (const company_name of ["Ada Stores", "Kuda", "Zainab & Daughters Fabrics Nigeria Limited"])
      expect(await logo({ style, company_name })).not.toMatch(/\d\.\d{3}|\de-\d/);
  });

  test("has an id that is unique among the logos of a page", async () => {
    const labels = await Promise.all(
      [
        { style },
        { style, company_name: "Kuda" },
        { style, size: 64 },
        { style, primary_color: "#123abc" },
      ].map(async (fields) => parseElement(await logo(fields)).attributes["aria-labelledby"]),
    );
    expect(new Set(labels).size).toBe(4);
    for (const label of labels) expect(label).toMatch(/^[a-z][a-z0-9-]+$/);
  });

  test("is the same for the same input, on any account", async () => {
    expect(await logo({ style })).toBe(await logo({ style }));
    expect(await logo({ style, company_name: "Kuda" })).not.toBe(await logo({ style }));
  });

  test.each(["Ọlá & Ṣadé Ventures", "株式会社ラゴス", "شركة لاغوس", "🦜 Parrot", "x".repeat(5_000), "   "])(
    "shows %.20s within its edges",
    async (company_name) => {
      const svg = await logo({ style, company_name });
      parseElement(svg);
      const { data, width, height, channels } = await pixels(svg);
      const painted = (x: number, y: number) => (data[(y * width + x) * channels + 3] as number) > 40;
      const edge = Array.from({ length: height }, (_, y) =>
        [0, width - 1].filter((x) => painted(x, y)),
      ).flat();
      // The tile of a monogram intentionally fills the square.
      if (style === "monogram") expect(edge.length).toBeGreaterThan(height / 2);
      else expect(edge).toEqual([]);
    },
  );
});

const texts = (svg: string): string[] =>
  everyElement(parseElement(svg))
    .filter(({ name }) => name === "text")
    .map(({ text }) => text);

test.each(["شركة لاغوس", "חברת לאגוס", "ߟߊߜߐߛ", "लागोस कंपनी"])(
  "a badge sets %s straight: its letters join, or run from the right",
  async (company_name) => {
    const svg = await logo({ style: "badge", company_name });
    const set = texts(svg);
    expect(set.slice(1).join(" ")).toBe(company_name);
    expect(svg).not.toMatch(/<text[^>]* transform=/);
    expect(texts(await logo({ style: "badge" })).length).toBeGreaterThan(8);
  },
);

const sizesIn = (svg: string): number[] =>
  [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));

test.each([
  ["two words", "Zainab Fabrics", 2],
  ["a name of sixty letters", "Zainab & Daughters Fabrics and Tailoring Company of Ilorin", 4],
  ["a word of sixty letters", "x".repeat(60), 4],
])("a wordmark shows %s in lines that can be read", async (_what, company_name, lines) => {
  const svg = await logo({ style: "wordmark", company_name });
  const rows = everyElement(parseElement(svg)).filter(({ name }) => name === "text");
  expect(rows).toHaveLength(lines);
  const shown = rows.flatMap((row) => [...row.children.map(({ text }) => text), row.text]).join("");
  expect(shown.replaceAll(" ", "")).toBe(company_name.replaceAll(" ", ""));
  expect(Math.min(...sizesIn(svg))).toBeGreaterThan(32);
});

test("the first letter of a wordmark has a colour of its own, unless it joins the next", async () => {
  const spans = async (company_name: string) =>
    everyElement(parseElement(await logo({ style: "wordmark", company_name }))).filter(
      ({ name }) => name === "tspan",
    ).length;
  expect([await spans("Ada Stores"), await spans("شركة لاغوس")]).toEqual([1, 0]);
});

test("initials that would join into a word are separated", async () => {
  expect(texts(await logo({ style: "monogram", company_name: "شركة لاغوس" }))).toEqual(["ش\u200cل"]);
  expect(texts(await logo({ style: "monogram" }))).toEqual(["AS"]);
  // These letters may be up to 1.2 times as wide as the font size.
  for (const company_name of ["شركة لاغوس", "شركة سوق ضوء"]) {
    const letters = company_name.split(" ").length;
    const [size = 0] = sizesIn(await logo({ style: "monogram", company_name }));
    expect(letters * size * 1.2).toBeLessThan(512 * 0.8);
  }
});

test("the four styles are four different pictures", async () => {
  const drawn = await Promise.all(styles.map((style) => logo({ style })));
  const kinds = drawn.map((svg) => new Set([...svg.matchAll(/<([a-z]+)/g)].map(([, name]) => name)));
  expect(new Set(drawn).size).toBe(4);
  expect(kinds.map((names) => [names.has("rect"), names.has("circle"), names.has("tspan")])).toEqual([
    [true, false, false],
    [false, true, false],
    [false, true, false],
    [false, false, true],
  ]);
});

const drawn = ["svg", "title", "g", "rect", "circle", "path", "text", "tspan"];
const everyElement = (element: Element): Element[] => [element, ...element.children.flatMap(everyElement)];

test.each([
  "<script>alert(1)</script>",
  '"><image href="http://evil.test/x.png" onload="alert(1)"/>',
  "]]></title><script>alert(1)</script>",
  "&lt;script&gt; &#60;b&#62;",
  "a\u0000b\u0008c\ud800d",
])("a name is always drawn as text: %j", async (company_name) => {
  for (const style of styles) {
    const svg = await logo({ style, company_name });
    const all = everyElement(parseElement(svg));
    expect(drawn).toEqual(expect.arrayContaining(all.map(({ name }) => name)));
    expect(
      all.flatMap(({ attributes }) => Object.keys(attributes)).filter((name) => /^on|href/.test(name)),
    ).toEqual([]);
  }
});

test.each([
  ["primary_color", "red"],
  ["secondary_color", "#12345"],
  ["primary_color", 'url("http://evil.test")'],
  ["style", "neon"],
  ["size", 0],
  ["size", 1.5],
  ["size", "256"],
])("%s %j is refused with the field's name", async (field, value) => {
  const { status, body } = await post(sandbox.account(), path, { ...usual, [field]: value });
  expect([status, body.error.param]).toEqual([400, field]);
});

test("it is an SVG file, and free", async () => {
  const account = sandbox.account();
  const response = await post(account, path, usual);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/svg+xml");
  expect(response.headers.get("content-disposition")).toContain("logo.svg");
  expect(await (await account.fetch("/v1/balance")).json()).toMatchObject({ balance: 1_000_000 });
});
