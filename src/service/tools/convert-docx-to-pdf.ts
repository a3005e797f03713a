import { operation } from "../operation.js";
import {
  conversionOutcomes,
  convertFile,
  documentHeaders,
  docxType,
  pdfType,
  replyWithDocument,
} from "./file-conversion.js";

/** A DOCX file whose content types come late in the archive is detected as a zip file. */
const docxTypes = [docxType, "application/zip"];

export const convertDocxToPdf = operation({
  id: "convertDocxToPdf",
  route: "POST /v1/tools/docx-to-pdf",
  summary: "Convert a DOCX to PDF",
  description: "Returns the document with its layout.",
  auth: "key",
  isHarmless: true,
  upload: { file: { maxMB: 20, types: docxTypes, description: "DOCX file", keep: true } },
  reply: { 200: { contentType: pdfType, description: "Document as .pdf", headers: documentHeaders } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convertFile(call, "docx-to-pdf", {}),
  handle: (call) => replyWithDocument(call, pdfType, "pdf"),
});
