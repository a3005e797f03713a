/** What a message carries: exactly one of text, image and document; assumption channels.send. */
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { coded } from "../../contract/schemas.js";
import { mostCaption, mostFilename } from "./schemas.js";

const assumed = { "x-assumption": "channels.send" };
const link = Type.String({
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
  maxLength: 2048,
  description: "Where the file is fetched from",
  examples: ["https://shop.example/receipt.png"],
  ...coded("validation_error", "an http or https URL of at most 2048 characters"),
});
const caption = Type.Optional(Type.String({ maxLength: mostCaption }));

export const SentImage = Type.Object({ link, caption }, assumed);
export const SentDocument = Type.Object(
  {
    link,
    filename: Type.String({ minLength: 1, maxLength: mostFilename, examples: ["receipt.pdf"] }),
    caption,
  },
  assumed,
);

export interface Content {
  text?: string;
  image?: Type.Static<typeof SentImage>;
  document?: Type.Static<typeof SentDocument>;
}

/** The message as the person sees it in the inbox; nothing is fetched. */
export function contentOf({ text, image, document }: Content): { text: string; hasFile: boolean } {
  const given = [text, image, document].filter((part) => part !== undefined).length;
  if (given === 1) {
    if (text !== undefined) return { text, hasFile: false };
    if (image) return { text: captioned(`[image] ${image.link}`, image), hasFile: true };
    if (document)
      return { text: captioned(`[document ${document.filename}] ${document.link}`, document), hasFile: true };
  }
  const message = `Exactly one of text, image and document must be given; got ${given}.`;
  return refuse("validation_error", { param: "text", message });
}

const captioned = (file: string, { caption }: { caption?: string }): string =>
  caption ? `${caption}\n${file}` : file;
