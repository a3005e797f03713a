/** Draws a story as a Mermaid sequence diagram, for documents. */
import { formatLength } from "../../time/instants.js";
import { formatLabel, isPause, type Lane, type Story, type StoryLine, type StoryStep } from "./story.js";

/** Mermaid reads some characters as its own. */
const escaped = (text: string): string =>
  text.replaceAll(/[#;<>{}]|\s+/g, (found) => (/\s/.test(found) ? " " : `#${found.charCodeAt(0)};`));

/** Arrow heads by tone: a cross where the other side did not get what it should. */
function arrowOf({ isReply, tone }: StoryLine): string {
  if (tone === "bad") return isReply ? "--x" : "-x";
  return isReply ? "-->>" : "->>";
}

const formatLine = (line: StoryLine, step: StoryStep): string => {
  const label = escaped(formatLabel(line, step));
  return line.from === line.to
    ? `Note over ${line.from}: ${label}`
    : `${line.from}${arrowOf(line)}${line.to}: ${label}`;
};

export function formatMermaid({ lanes, rows }: Story): string {
  const [first, last] = [lanes[0], lanes.at(-1)] as [Lane, Lane];
  const across = first === last ? first : `${first},${last}`;
  const lines = rows.flatMap((row) =>
    isPause(row)
      ? [`Note over ${across}: ${formatLength(row.pause)} later`]
      : row.lines.map((line) => formatLine(line, row)),
  );
  return [
    "sequenceDiagram",
    ...lanes.map((lane) => `  participant ${lane}`),
    ...lines.map((line) => `  ${line}`),
    "",
  ].join("\n");
}
