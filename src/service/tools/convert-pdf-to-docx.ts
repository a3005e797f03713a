import { MB } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { convert, reply } from "./file-conversion.js";
import { DOCX, PDF } from "./media-types.js";
import { conversionOutcomes } from "./outcomes.js";

export const convertPdfToDocx = operation({
  id: "convertPdfToDocx",
  route: "POST /v1/tools/pdf-to-docx",
  summary: "Convert a PDF to DOCX",
  auth: "key",
  upload: { file: { maxBytes: 20 * MB, types: [PDF], description: "PDF", keep: true } },
  reply: { 200: { contentType: DOCX, description: "The document as .docx" } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convert(call, "pdf-to-docx", {}),
  handle: (call) => reply(call, DOCX, "docx"),
});
