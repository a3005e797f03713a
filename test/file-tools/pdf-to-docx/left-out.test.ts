/** What a DOCX lacks of its PDF, which the reply's header names. */
import { expect, it } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { sendToTool } from "../../support/uploads.js";
import { pageFrom } from "./documents.js";

const sandbox = useSandbox();

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
  const response = await sendToTool(sandbox.account(), "pdf-to-docx", pdf);
  expect([response.status, response.headers.get("X-Sandbox-Left-Out")]).toEqual([200, leftOut]);
});
