import { describe, expect, it } from "vitest";
import { call, type Reply, read, useSandbox } from "../../support/sandbox.js";
import { docxFrom, docxOf, line, paragraphXml, readPages, relation, textOf } from "./documents.js";

const sandbox = useSandbox();
type Account = ReturnType<typeof sandbox.account>;

function send(account: Account, bytes: Uint8Array, filename: string) {
  const body = new FormData();
  body.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), filename);
  return account.fetch("/v1/tools/docx-to-pdf", { method: "POST", body });
}

const balanceOf = async (account: Account): Promise<number> =>
  (await call(account, "GET", "/v1/balance")).body.balance;

/** Sends a file that is refused and checks that it is free of charge. */
async function refused(bytes: Uint8Array, filename: string): Promise<Reply> {
  const account = sandbox.account();
  const before = await balanceOf(account);
  const reply = await read(await send(account, bytes, filename));
  expect(await balanceOf(account)).toBe(before);
  return reply;
}

it("returns the PDF with its media type and the upload's name, free of charge", async () => {
  const account = sandbox.account();
  const before = await balanceOf(account);
  const response = await send(account, await docxOf([line("Ọ̀ṣun pays ₦5,000")]), "Ìwé àdéhùn.v2.docx");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  const name = encodeURIComponent("Ìwé àdéhùn.v2.pdf");
  expect(response.headers.get("content-disposition")).toBe(
    `attachment; filename="Iwe adehun.v2.pdf"; filename*=UTF-8''${name}`,
  );
  const [page] = await readPages(new Uint8Array(await response.arrayBuffer()));
  expect(page?.text.normalize("NFC")).toBe("Ọ̀ṣun pays ₦5,000".normalize("NFC"));
  expect(await balanceOf(account)).toBe(before);
});

it("accepts a DOCX whose first bytes only identify a zip archive", async () => {
  const docx = docxFrom(paragraphXml("text"), "", { "[Content_Types].xml": "<Types/>" });
  const response = await send(sandbox.account(), docx, "deed.docx");
  expect(response.status).toBe(200);
  expect(await textOf(new Uint8Array(await response.arrayBuffer()))).toBe("text");
});

it("accepts merged cells that start nowhere, and shows their text", async () => {
  const cell = (text: string, properties: string): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraphXml(text)}</w:tc>`;
  const [start, more] = ['<w:vMerge w:val="restart"/>', "<w:vMerge/>"];
  const before = (columns: number): string => `<w:trPr><w:gridBefore w:val="${columns}"/></w:trPr>`;
  const table = `<w:tbl><w:tr>${before(1)}${cell("first", start)}</w:tr>
    <w:tr>${cell("second", more)}${cell("covered", more)}</w:tr>
    <w:tr>${before(2)}${cell("third", more)}</w:tr></w:tbl>`;
  const response = await send(sandbox.account(), docxFrom(table), "offset.docx");
  expect(response.status).toBe(200);
  const text = await textOf(new Uint8Array(await response.arrayBuffer()));
  for (const word of ["first", "second", "third"]) expect(text).toContain(word);
});

describe("a refusal", () => {
  it("of a damaged file names the file and the reason, free of charge", async () => {
    const whole = await docxOf([line("text")]);
    const { status, body } = await refused(whole.slice(0, -100), "half.docx");
    expect(status).toBe(422);
    expect(body.error).toMatchObject({ code: "file_unreadable", param: "file" });
    expect(body.error.message).toBe(
      '"half.docx": the file is cut off or damaged: its zip directory is missing; send the whole DOCX.',
    );
  });

  it.each([
    [
      "an old Word file",
      "d0cf11e0a1b11ae1",
      "an old Office file such as .doc, or one that a password protects",
    ],
    ["a PDF", Buffer.from("%PDF-1.7\n").toString("hex"), "application/pdf"],
    ["text", Buffer.from("Dear Sir or Madam").toString("hex"), "none of these"],
  ])("of %s names the detected file type, free of charge", async (_, start, shown) => {
    const bytes = Buffer.concat([Buffer.from(start, "hex"), Buffer.alloc(600)]);
    const { status, body } = await refused(bytes, "deed.docx");
    expect([status, body.error.code]).toEqual([415, "unsupported_media_type"]);
    expect(body.error.message).toMatch(new RegExp(`; its bytes show ${shown}\\.$`));
  });
});

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
  ["a shape of older documents", "<w:p><w:r><w:pict><v:oval/></w:pict></w:r></w:p>", "1 shape"],
  ["a fraction", fraction + math(part("x=1")), "1 layout of an equation"],
  ["a picture that is not in the file", lostPicture, "1 picture"],
  ["several kinds", chart + shape("") + shape("") + fraction, "1 chart, 1 layout of an equation, 2 shapes"],
  ["nothing", paragraphXml("text") + shape(textBox), null],
])("says that the PDF lacks %s", async (_what, body, leftOut) => {
  const response = await send(sandbox.account(), docxFrom(body + paragraphXml("text")), "report.docx");
  expect([response.status, response.headers.get("X-Sandbox-Left-Out")]).toEqual([200, leftOut]);
});

it("counts what every page repeats once", async () => {
  const header = `<?xml version="1.0"?><w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml"><w:p><w:r><w:pict><v:oval/></w:pict></w:r></w:p></w:hdr>`;
  const page = `${paragraphXml("text")}<w:p><w:r><w:br w:type="page"/></w:r></w:p>`;
  const end = '<w:sectPr><w:headerReference w:type="default" r:id="r7"/></w:sectPr>';
  const docx = docxFrom(page + page + page + end, relation("r7", "header", "header1.xml"), {
    "word/header1.xml": header,
  });
  const response = await send(sandbox.account(), docx, "report.docx");
  expect([response.status, response.headers.get("X-Sandbox-Left-Out")]).toEqual([200, "1 shape"]);
});
