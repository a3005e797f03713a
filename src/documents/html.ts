/** Builds HTML and escapes the text that is inserted into it. */
import { escapeMarkup } from "../contract/escape-markup.js";

export class Html {
  constructor(readonly text: string) {}
}

/** Template tag: html`<p>${text}</p>` escapes text, inserts Html as it is, and joins arrays. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html => new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));

function render(value: string | number | Html | readonly Html[] | undefined): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map((item: Html) => item.text).join("");
  return escapeMarkup(String(value ?? ""));
}
