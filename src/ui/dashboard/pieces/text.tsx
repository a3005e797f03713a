/** Texts of the catalogues, in which code stands between backticks. */

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
