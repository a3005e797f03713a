/** Content of a message: exactly one of text, image and document; assumption channels.send. */
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { coded } from "../../contract/schemas.js";
import { maxCaptionLength, maxFilenameLength } from "./schemas.js";

const assumed = { "x-assumption": "channels.send" };
const link = Type.String({
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
  maxLength: 2048,
  description: "URL from which the file is fetched",
  examples: ["https://shop.example/receipt.png"],
  ...coded("validation_error", "an http or https URL of at most 2048 characters"),
});
const caption = Type.Optional(Type.String({ maxLength: maxCaptionLength }));

export const SentImage = Type.Object({ link, caption }, assumed);
export const SentDocument = Type.Object(
  {
    link,
    filename: Type.String({ minLength: 1, maxLength: maxFilenameLength, examples: ["receipt.pdf"] }),
    caption,
  },
  assumed,
);

export interface MessageContent {
  text?: string;
  image?: Type.Static<typeof SentImage>;
  document?: Type.Static<typeof SentDocument>;
}

/** Returns the message as the inbox shows it. Files are not fetched. */
export function formatContent({ text, image, document }: MessageContent): { text: string; hasFile: boolean } {
  const given = [text, image, document].filter((part) => part !== undefined).length;
  if (given === 1) {
    if (text !== undefined) return { text, hasFile: false };
    if (image) return { text: withCaption(`[image] ${image.link}`, image), hasFile: true };
    if (document)
      return {
        text: withCaption(`[document ${document.filename}] ${document.link}`, document),
        hasFile: true,
      };
  }
  const message = `Exactly one of text, image and document must be given; got ${given}.`;
  return refuse("validation_error", { param: "text", message });
}

const withCaption = (file: string, { caption }: { caption?: string }): string =>
  caption ? `${caption}\n${file}` : file;
