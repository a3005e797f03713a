/** Texts of the catalogues, in which code stands between backticks, and texts with arrows. */
import { Fragment } from "preact";
import { Icon } from "./icons.js";

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

/** Shows a text in which each ` → ` is a drawn arrow, since fonts may lack it. It is read as "to". */
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
