import { describe, expect, test } from "vitest";
import { lines, parse, wrongIn } from "./files.js";

describe("files as editors write them", () => {
  test.each([
    ["CRLF", "name: X\r\ngiven:\r\n  paymnts: []\r\n", "story.yaml:3:3: given.paymnts"],
    ["a UTF-8 byte order mark", "\uFEFFname: X\nfoo: 1\n", "story.yaml:2:1: foo"],
    [
      "JSON with tabs",
      '{\n\t"name": "X",\n\t"given": {\n\t\t"paymnts": []\n\t}\n}\n',
      "story.yaml:4:3: given.paymnts",
    ],
  ])("%s does not move the places", async (_what, text, says) => {
    expect((await wrongIn(text)).map((line) => line.slice(0, says.length))).toEqual([says]);
  });

  test("anchors and aliases are ordinary values", async () => {
    const text = lines("name: X", "given:", "  people: [&ada { first_name: Ada, last_name: Obi }, *ada]");
    const ada = { first_name: "Ada", last_name: "Obi" };
    expect(await parse(text)).toEqual({ name: "X", given: { people: [ada, ada] } });
  });

  test("several problems are reported in the order of the file", async () => {
    const text = lines(
      "name: X",
      "steps:",
      "  - { webhook: a }",
      "  - { webhook: b }",
      "given:",
      "  clock: noon",
    );
    const places = (await wrongIn(text)).map((line) => line.split(":")[1]);
    expect(places).toEqual(["3", "4", "6"]);
  });

  test("a scenario of ten thousand steps is read", async () => {
    const steps = Array.from({ length: 10_000 }, () => "  - advance: 1h");
    expect((await parse(lines("name: X", "steps:", ...steps))).steps).toHaveLength(10_000);
  });
});
