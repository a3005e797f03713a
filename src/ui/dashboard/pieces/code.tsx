/** Shows code, JSON and texts of the catalogues, which are never interpreted as markup. */

import type { ComponentChildren } from "preact";
import { Fragment } from "preact";
import { Copy } from "./button.js";
import { Icon } from "./icons.js";

interface CodeProps {
  text: string;
  /** Name for screen readers. Default "Code". */
  label?: string;
  /** The text with colours. Default: the text. */
  children?: ComponentChildren;
}

/** Shows code or a command with a button that copies it. */
export const Code = ({ text, label = "Code", children = text }: CodeProps) => (
  <div class="code">
    {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form */}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
    <pre role="group" tabIndex={0} aria-label={label}>
      <code>{children}</code>
    </pre>
    <Copy text={text} />
  </div>
);

/** Shows a value, or the text of a JSON body, with line breaks and colours. */
export function Json({ value, label = "JSON" }: { value: unknown; label?: string }) {
  const text = format(value);
  return (
    <Code text={text} label={label}>
      {text.length > maxColoured ? text : colour(text)}
    </Code>
  );
}

/** Length beyond which texts are shown without colours, since each coloured part costs an element. */
const maxColoured = 20_000;

function format(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, null, 2) ?? "";
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function colour(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    parts.push(text.slice(end, match.index));
    const [whole, string, colon] = match;
    const kind = colon ? "key" : string ? "string" : "value";
    parts.push(<span class={`json-${kind}`}>{colon ? string : whole}</span>, colon ?? "");
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** A text of a catalogue, in which code stands between backticks. */
export const Text = ({ text }: { text: string }) => (
  <>
    {text.split("`").map((part, index) =>
      index % 2 === 1 ? (
        <code class="wash" key={index}>
          {part}
        </code>
      ) : (
        part
      ),
    )}
  </>
);

/** Shows a text in which each ` → ` is a drawn arrow, since fonts may lack it. Screen readers say "to". */
export const WithArrows = ({ text }: { text: string }) => (
  <>
    {text.split(" → ").map((part, index) => (
      <Fragment key={index}>
        {index > 0 && (
          <span class="arrow-to">
            <Icon name="arrow" />
            <span class="visually-hidden"> to </span>
          </span>
        )}
        {part}
      </Fragment>
    ))}
  </>
);

/** Shows the parts of a text between empty lines as paragraphs. */
export const Paragraphs = ({ text }: { text: string }) => (
  <>
    {text.split("\n\n").map((part) => (
      <p key={part}>
        <Text text={part} />
      </p>
    ))}
  </>
);
