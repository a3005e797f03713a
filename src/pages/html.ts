/** HTML with everything escaped that is put into it. */
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] as string);

export class Html {
  constructor(readonly text: string) {}
}

/** html`<p>${text}</p>`: text is escaped, Html stays, arrays are joined. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html => new Html(parts.reduce((text, part, index) => text + show(values[index - 1]) + part));

function show(value: string | number | Html | readonly Html[] | undefined): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map((item: Html) => item.text).join("");
  return escapeHtml(String(value ?? ""));
}
