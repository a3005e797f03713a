import { operation } from "../operation.js";
import {
  conversionOutcomes,
  convertFile,
  documentHeaders,
  docxType,
  pdfType,
  replyWithDocument,
} from "./file-conversion.js";

export const convertPdfToDocx = operation({
  id: "convertPdfToDocx",
  route: "POST /v1/tools/pdf-to-docx",
  summary: "Convert a PDF to DOCX",
  description:
    "Returns the document with its text, tables and pictures. If reading takes more than 35 s, a last page names the pages that are left out.",
  auth: "key",
  isHarmless: true,
  upload: { file: { maxMB: 20, types: [pdfType], description: "PDF file", keep: true } },
  reply: { 200: { contentType: docxType, description: "Document as .docx", headers: documentHeaders } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convertFile(call, "pdf-to-docx", { scans: call.settings.tools.scans }),
  handle: (call) => replyWithDocument(call, docxType, "docx"),
});
