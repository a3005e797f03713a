import mammoth from "mammoth";
import { expect, it } from "vitest";
import { call, type Reply, read, useListeningSandbox } from "../../support/sandbox.js";
import { pageFrom, pdfOf, prose } from "./documents.js";

const sandbox = useListeningSandbox();
type Account = ReturnType<typeof sandbox.account>;

const path = "/v1/tools/pdf-to-docx";

function send(account: Account, bytes: Uint8Array, name = "report.pdf"): Promise<Response> {
  const body = new FormData();
  body.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  return account.fetch(path, { method: "POST", body });
}

const balanceOf = async (account: Account): Promise<number> =>
  (await call(account, "GET", "/v1/balance")).body.balance;

/** Sends a file that is refused and checks that it is free of charge. */
async function refused(bytes: Uint8Array): Promise<Reply> {
  const account = sandbox.account();
  const before = await balanceOf(account);
  const reply = await read(await send(account, bytes));
  expect(await balanceOf(account)).toBe(before);
  return reply;
}

it("returns the DOCX under the upload's name, free of charge", async () => {
  const account = sandbox.account();
  const before = await balanceOf(account);
  const response = await send(account, await pdfOf(prose("Report")), "annual report.v2.pdf");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  );
  expect(response.headers.get("content-disposition")).toBe(
    "attachment; filename=\"annual report.v2.docx\"; filename*=UTF-8''annual%20report.v2.docx",
  );
  const buffer = Buffer.from(await response.arrayBuffer());
  expect((await mammoth.extractRawText({ buffer })).value.trim()).toBe(prose("Report"));
  expect(await balanceOf(account)).toBe(before);
});

it("detects the file type by the bytes, not by the name", async () => {
  const response = await send(sandbox.account(), await pdfOf("Text"), "photo.jpg");
  expect([response.status, response.headers.get("content-disposition")]).toEqual([
    200,
    "attachment; filename=\"photo.docx\"; filename*=UTF-8''photo.docx",
  ]);
  const other = await refused(Buffer.from("PK\x03\x04 no PDF"));
  expect([other.status, other.body.error.code]).toEqual([415, "unsupported_media_type"]);
});

it("accepts a PDF whose header is within the first 1,024 bytes", async () => {
  const pdf = await pdfOf("Text");
  const after = (bytes: number): Buffer => Buffer.concat([Buffer.alloc(bytes, "From: Ada\r\n"), pdf]);
  expect((await send(sandbox.account(), after(1_019))).status).toBe(200);
  expect((await refused(after(1_024))).status).toBe(415);
});

it("refuses an unreadable PDF with file_unreadable, naming the file and the reason", async () => {
  const { status, body } = await refused(await pdfOf("Secret", { userPassword: "1234" }));
  expect(status).toBe(422);
  expect(body.error).toMatchObject({
    code: "file_unreadable",
    param: "file",
    message: '"report.pdf": it needs a password; save it without one and send that.',
  });
});

const words = "BT /F 12 Tf 72 700 Td (Quarterly figures) Tj ET";
const curve = "300 100 m 500 200 400 0 550 150 c S";
const lostScan = "/XObject << /I 6 0 R >>";
const undecodable = [
  "<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /Filter /JPXDecode /Length LENGTH >>",
  "not decoded",
] as const;

it.each([
  ["a drawing beside text", pageFrom(`${words} ${curve}`), "1 page with drawings"],
  ["an oblique line", pageFrom(`${words} 100 100 m 200 300 l S`), "1 page with drawings"],
  ["a picture", pageFrom(`${words} q 90 0 0 90 72 72 cm /I Do Q`, lostScan, [undecodable]), "1 picture"],
  ["nothing, with rules and boxes", pageFrom(`${words} 72 690 m 300 690 l S 72 400 90 90 re S`), null],
  [
    "nothing, with bullets",
    pageFrom(`${words} 80 600 m 83 600 83 603 80 603 c 77 603 77 600 80 600 c f`),
    null,
  ],
  ["nothing, where the page becomes a picture", pageFrom(curve), null],
])("says that the document lacks %s", async (_what, pdf, leftOut) => {
  const response = await send(sandbox.account(), pdf);
  expect([response.status, response.headers.get("X-Sandbox-Left-Out")]).toEqual([200, leftOut]);
});
