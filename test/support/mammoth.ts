/** Reads Word documents with mammoth. */
import { createRequire } from "node:module";
import mammoth from "mammoth";

const { convertElementToRawText }: { convertElementToRawText(document: unknown): string } = createRequire(
  import.meta.url,
)("mammoth/lib/raw-text.js");

/** Returns the HTML, without the content of pictures, and the text of `extractRawText`, but reads the document only once. */
export async function readWithMammoth(buffer: Buffer): Promise<{ html: string; text: string }> {
  let text = "";
  const { value: html } = await mammoth.convertToHtml(
    { buffer },
    {
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      transformDocument: (document) => {
        text = convertElementToRawText(document);
        return document;
      },
    },
  );
  return { html, text };
}
