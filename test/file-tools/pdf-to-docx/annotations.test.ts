import { expect, it } from "vitest";
import { convert, pageFrom } from "./documents.js";

/** Adds annotations to a page. Each draws its lines of text, if any. */
function pageWith(annotations: readonly { entries: string; lines?: readonly string[] }[]): Uint8Array {
  const page = Buffer.from(
    pageFrom("BT /F 12 Tf 72 700 Td (Signed below) Tj ET", ">> /Annots [ANNOTATIONS]", [
      "<< >>",
      ...annotations.flatMap(({ entries, lines }, at) => {
        const drawn = (lines ?? []).map((line) => `(${line}) Tj 0 -14 Td`).join(" ");
        return [
          `<< /Type /Annot ${entries} /Rect [72 500 300 560] ${lines ? `/AP << /N ${8 + 2 * at} 0 R >>` : ""} >>`,
          [
            "<< /Type /XObject /Subtype /Form /BBox [0 0 228 60] /Resources << /Font << /F 5 0 R >> >> /Length LENGTH >>",
            `BT /F 10 Tf 2 46 Td ${drawn} ET`,
          ] as const,
        ];
      }),
    ]),
  ).toString("latin1");
  const references = annotations.map((_, at) => `${7 + 2 * at} 0 R`).join(" ");
  // The resources end before the annotations of the page.
  return Buffer.from(page.replace("ANNOTATIONS] >> >>", `${references}] >>`), "latin1");
}

const widget = (kind: string, more = ""): string => `/Subtype /Widget /FT /${kind} /T (field) /F 4 ${more}`;

it("keeps what a signature, a button and a stamp draw", async () => {
  const { text } = await convert(
    pageWith([
      { entries: widget("Sig"), lines: ["Signed by Ada Obi", "in Lagos"] },
      { entries: widget("Btn", "/Ff 65536"), lines: ["Submit"] },
      { entries: "/Subtype /Stamp /F 4", lines: ["APPROVED"] },
    ]),
  );
  for (const line of ["Signed below", "Signed by Ada Obi", "in Lagos", "Submit", "APPROVED"])
    expect(text).toContain(line);
});

it("keeps the amount of a field as it is displayed", async () => {
  const { text } = await convert(pageWith([{ entries: widget("Tx", "/V (5000)"), lines: ["NGN 5,000.00"] }]));
  expect(text).toContain("NGN 5,000.00");
  expect(text).not.toContain("5000");
});

it("leaves out what a hidden annotation draws", async () => {
  const { text } = await convert(pageWith([{ entries: "/Subtype /Stamp /F 2", lines: ["DRAFT"] }]));
  expect(text).toContain("Signed below");
  expect(text).not.toContain("DRAFT");
});

it("replaces characters that XML does not allow in what annotations draw, hold and link to", async () => {
  const { text } = await convert(
    pageWith([
      { entries: "/Subtype /Stamp /F 4", lines: ["APPR\\001OVED"] },
      { entries: widget("Tx", "/V (five\\013thousand)") },
      { entries: widget("Tx", "/V <FEFF00610002FFFFD8000062>") },
      { entries: "/Subtype /FreeText /Contents (note\\001d) /F 4" },
      { entries: "/Subtype /Link /A << /S /URI /URI (https://example.com/\\001a\\037b?c=\\177) >>" },
    ]),
  );
  for (const word of ["Signed below", "APPR", "OVED", "five", "thousand"]) expect(text).toContain(word);
});
