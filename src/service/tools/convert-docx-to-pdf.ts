import { MB } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { convert, reply } from "./file-conversion.js";
import { DOCX, PDF } from "./media-types.js";
import { conversionOutcomes } from "./outcomes.js";

/** A DOCX whose content types come late in its archive shows itself as a plain zip. */
const docxTypes = [DOCX, "application/zip"];

export const convertDocxToPdf = operation({
  id: "convertDocxToPdf",
  route: "POST /v1/tools/docx-to-pdf",
  summary: "Convert a DOCX to PDF",
  auth: "key",
  upload: { file: { maxBytes: 20 * MB, types: docxTypes, description: "DOCX", keep: true } },
  reply: { 200: { contentType: PDF, description: "The document as .pdf" } },
  refuses: ["file_unreadable", "not_installed"],
  outcomes: conversionOutcomes,

  prepare: (call) => convert(call, "docx-to-pdf", { libreoffice: call.settings.tools.libreoffice }),
  handle: (call) => reply(call, PDF, "pdf"),
});
