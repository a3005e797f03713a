/** What a PDF says of itself. */
import type { About } from "./docx-document.js";
import type { PdfFile } from "./open.js";

const fallbackLanguage = "en-GB";
const longest = 400;

type Info = Readonly<Record<string, unknown>>;

const infoOf = async (pdf: PdfFile): Promise<Info> =>
  pdf.getMetadata().then(
    ({ info }) => info as Info,
    () => ({}),
  );

/** Without what XML cannot hold. */
const said = (value: unknown): string =>
  typeof value === "string"
    ? value
        .replace(/[\u0000-\u001f\u007f\ufffe\uffff]|\p{Cs}/gu, "")
        .trim()
        .slice(0, longest)
    : "";

export async function aboutOf(pdf: PdfFile): Promise<About> {
  const { Title, Author, Subject, Keywords, Language } = await infoOf(pdf);
  const isLanguage = typeof Language === "string" && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(Language);
  return {
    title: said(Title),
    author: said(Author),
    subject: said(Subject),
    keywords: said(Keywords),
    language: isLanguage ? Language : fallbackLanguage,
  };
}

/** As W3C writes times, in UTC's name; null where the PDF says none. */
export async function createdOf(pdf: PdfFile): Promise<string | null> {
  const { CreationDate } = await infoOf(pdf);
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^D:(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])([0-5]\d)([0-5]\d)?)?/.exec(
      String(CreationDate),
    ) ?? [];
  return year ? `${year}-${month}-${day}T${hour}:${minute}:${second}Z` : null;
}
