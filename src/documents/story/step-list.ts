/** Lists a story as steps in words, for narrow screens and paper, where the columns of the picture do not fit. */
import { formatLength } from "../../time/instants.js";
import { formatClock, formatLabel, isPause, type Story, type StoryLine, type StoryStep } from "./story.js";
import { type StoryShape, shape } from "./svg.js";

/** Style sheet of pictures that are a list of steps below a width of 30rem and on paper. */
export const stepListStyle = `.picture{container-type:inline-size}
.story-steps{display:none;margin:0;padding:0;list-style:none;font-size:14px}
.story-steps li{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 10px;padding:6px 0;border-bottom:1px solid var(--line)}
.story-steps :is(time,.who){color:var(--soft);font-size:13px;font-variant-numeric:tabular-nums}
.story-steps .what{grid-column:1/-1;overflow-wrap:anywhere}
.story-steps .pause{justify-content:center;color:var(--soft)}
.story-steps .good .what{color:var(--good)}.story-steps .wait .what{color:var(--wait)}.story-steps .bad .what{color:var(--bad)}
@container (max-width:30rem){.picture .story{display:none}.picture .story-steps{display:block}}
@media print{.picture .story{display:none}.picture .story-steps{display:block}}
`;

/** Formats who does something, and to whom: `client to service`. */
const formatParticipants = ({ from, to }: StoryLine): string => (from === to ? from : `${from} to ${to}`);

const listLine = (line: StoryLine, step: StoryStep): StoryShape =>
  shape(
    "li",
    { class: line.tone },
    shape("time", {}, formatClock(step.from)),
    shape("span", { class: "who" }, formatParticipants(line)),
    shape("span", { class: "what" }, formatLabel(line, step)),
  );

/** Lists a story, each call, reply and note as an item, in the order of the picture. */
export const listStory = ({ rows }: Story): StoryShape =>
  shape(
    "ol",
    { class: "story-steps" },
    ...rows.flatMap((row) =>
      isPause(row)
        ? [shape("li", { class: "pause" }, `${formatLength(row.pause)} later`)]
        : row.lines.map((line) => listLine(line, row)),
    ),
  );
