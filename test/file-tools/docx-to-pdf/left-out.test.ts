/** What a PDF lacks of its DOCX, which the reply's header names. */
import { expect, it } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { sendToTool } from "../../support/uploads.js";
import { docxFrom, paragraphXml, partXml, relation } from "./documents.js";

const sandbox = useSandbox();

async function leftOutOf(docx: Uint8Array): Promise<string | null> {
  const { status, headers } = await sendToTool(sandbox.account(), "docx-to-pdf", docx);
  expect(status).toBe(200);
  return headers.get("X-Sandbox-Left-Out");
}

const inDrawing = (content: string): string =>
  `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const chart = inDrawing(
  '<x:chart xmlns:x="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="r9"/>',
);
const diagram = inDrawing('<d:relIds xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram"/>');
const shape = (content: string): string =>
  inDrawing(
    `<s:wsp xmlns:s="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">${content}</s:wsp>`,
  );
const oldShape = "<w:p><w:r><w:pict><v:oval/></w:pict></w:r></w:p>";
const textBox = `<w:txbxContent>${paragraphXml("Boxed")}</w:txbxContent>`;
const math = (content: string): string =>
  `<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${content}</m:oMath></w:p>`;
const part = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const fraction = math(`<m:f><m:num>${part("a")}</m:num><m:den>${part("b")}</m:den></m:f>`);
const lostPicture = inDrawing('<a:blipFill><a:blip r:embed="r404"/></a:blipFill>');

it.each([
  ["charts, in any prefix", chart + chart, "2 charts"],
  ["a diagram", diagram, "1 diagram"],
  ["a shape without text", shape("") + shape(textBox), "1 shape"],
  ["a shape of older documents", oldShape, "1 shape"],
  ["a fraction", fraction + math(part("x=1")), "1 layout of an equation"],
  ["a picture that is not in the file", lostPicture, "1 picture"],
  ["several kinds", chart + shape("") + shape("") + fraction, "1 chart, 1 layout of an equation, 2 shapes"],
  ["nothing", paragraphXml("text") + shape(textBox), null],
])("says that the PDF lacks %s", async (_what, body, leftOut) => {
  expect(await leftOutOf(docxFrom(body + paragraphXml("text")))).toBe(leftOut);
});

it("counts what every page repeats once", async () => {
  const header = partXml("hdr", oldShape);
  const page = `${paragraphXml("text")}<w:p><w:r><w:br w:type="page"/></w:r></w:p>`;
  const end = '<w:sectPr><w:headerReference w:type="default" r:id="r7"/></w:sectPr>';
  const docx = docxFrom(page + page + page + end, relation("r7", "header", "header1.xml"), {
    "word/header1.xml": header,
  });
  expect(await leftOutOf(docx)).toBe("1 shape");
});
