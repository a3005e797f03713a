/** Reads a PDF's metadata as document properties. */
import type { DocumentProperties } from "./docx-document.js";
import type { PdfFile } from "./open-pdf.js";

const defaultLanguage = "en-GB";
const maxTextLength = 400;

type Info = Readonly<Record<string, unknown>>;

const readInfo = async (pdf: PdfFile): Promise<Info> =>
  pdf.getMetadata().then(
    ({ info }) => info as Info,
    () => ({}),
  );

/** Removes characters that XML does not allow. */
const cleanText = (value: unknown): string =>
  typeof value === "string"
    ? value
        .replace(/[\u0000-\u001f\u007f\ufffe\uffff]|\p{Cs}/gu, "")
        .trim()
        .slice(0, maxTextLength)
    : "";

export async function readProperties(pdf: PdfFile): Promise<DocumentProperties> {
  const { Title, Author, Subject, Keywords, Language } = await readInfo(pdf);
  const isLanguage = typeof Language === "string" && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(Language);
  return {
    title: cleanText(Title),
    author: cleanText(Author),
    subject: cleanText(Subject),
    keywords: cleanText(Keywords),
    language: isLanguage ? Language : defaultLanguage,
  };
}

/** Returns the creation date in W3CDTF, as UTC whatever its time zone, or null without one. */
export async function readCreationDate(pdf: PdfFile): Promise<string | null> {
  const { CreationDate } = await readInfo(pdf);
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^D:(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])([0-5]\d)([0-5]\d)?)?/.exec(
      String(CreationDate),
    ) ?? [];
  return year ? `${year}-${month}-${day}T${hour}:${minute}:${second}Z` : null;
}
