/** Draws a story: as a sequence diagram in SVG, and as a list of steps for narrow screens and paper, where the diagram does not fit. */
import { formatLength } from "../../time/instants.js";
import { Html, html } from "../html.js";
import {
  formatClock,
  formatLabel,
  formatSteps,
  isPause,
  type Lane,
  type Story,
  type StoryLine,
  type StoryStep,
  type StoryTone,
} from "./story.js";

/** An element of a picture or of a list, which becomes text or an element of the browser. */
export interface StoryShape {
  tag: string;
  attributes: Readonly<Record<string, string | number>>;
  children: readonly (StoryShape | string)[];
}

export const shape = (
  tag: string,
  attributes: StoryShape["attributes"],
  ...children: readonly (StoryShape | string)[]
): StoryShape => ({ tag, attributes, children });

/** Lengths in px. */
const size = { time: 100, lane: 210, note: 264, head: 44, line: 34, text: 14, step: 10, pause: 30, edge: 16 };
/** Width in px that a character takes on average. */
const characterWidth = 6.4;

const centreOf = (story: Story, lane: Lane): number =>
  size.time + size.lane * (story.lanes.indexOf(lane) + 0.5);

/** Maximum number of lines of a label. */
const maxLabelLines = 3;

/** Cuts a text to a number of characters. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

/** Breaks a text at spaces into lines of a width in px. What does not fit is cut. */
function wrap(text: string, width: number): string[] {
  const length = Math.max(4, Math.floor(width / characterWidth));
  const lines: string[] = [];
  let rest = text;
  while (rest.length > length && lines.length < maxLabelLines - 1) {
    const space = rest.lastIndexOf(" ", length);
    // A long word, such as a path, is cut instead of broken.
    if (space <= 0) break;
    lines.push(rest.slice(0, space));
    rest = rest.slice(space + 1);
  }
  return [...lines, cut(rest, length)];
}

/** Returns the lines of a label, which has the width of its note or of the arrow below it. */
function labelOf(story: Story, line: StoryLine, step: StoryStep): string[] {
  const length = Math.abs(centreOf(story, line.to) - centreOf(story, line.from));
  return wrap(formatLabel(line, step), length === 0 ? size.note - 12 : length - 34);
}

/** Marks of outcomes, so that colour alone does not carry the meaning. Drawn, since fonts may lack the glyphs. */
const marks: Readonly<Record<StoryTone, string>> = {
  good: "M-5 0l3.5 4 6-8",
  bad: "M-4-4l8 8m0-8l-8 8",
  wait: "M0-5v6m0 3v.5",
  calm: "",
};

const drawMark = (tone: StoryTone, x: number, y: number): StoryShape[] =>
  marks[tone] === ""
    ? []
    : [shape("path", { class: "mark", transform: `translate(${x} ${y})`, d: marks[tone] })];

/** Draws the lines of a label, with the last line at `y`. The pointer shows the whole label. */
function drawLabel(label: string, lines: readonly string[], x: number, y: number): StoryShape {
  const title = shape("title", {}, label);
  if (lines.length === 1) return shape("text", { x, y }, ...lines, title);
  const top = y - (lines.length - 1) * size.text;
  const spans = lines.map((line, index) => shape("tspan", { x, y: top + index * size.text }, line));
  return shape("text", {}, ...spans, title);
}

/** Draws a line with the lines of its label. `y` is where its arrow lies, or the middle of the last line of its note. */
function drawLine(
  story: Story,
  line: StoryLine,
  step: StoryStep,
  lines: readonly string[],
  y: number,
): StoryShape {
  const label = formatLabel(line, step);
  const [from, to] = [centreOf(story, line.from), centreOf(story, line.to)];
  if (from === to) {
    const above = (lines.length - 1) * size.text;
    const box = {
      x: from - size.note / 2,
      y: y - 11 - above,
      width: size.note,
      height: 22 + above,
      rx: 5,
    };
    return shape("g", { class: "note" }, shape("rect", box), drawLabel(label, lines, from, y + 4));
  }
  const forward = Math.sign(to - from);
  const head = to - forward * 3;
  return shape(
    "g",
    { class: ["arrow", line.tone, ...(line.isReply ? ["reply"] : [])].join(" ") },
    shape("path", { d: `M${from} ${y}H${head}` }),
    shape("path", { class: "head", d: `M${head} ${y}l${-forward * 8}-4v8z` }),
    drawLabel(label, lines, (from + to) / 2, y - 5),
    ...drawMark(line.tone, from + forward * 10, y - 9),
  );
}

function drawPause(story: Story, pause: number, y: number): StoryShape {
  const right = size.time + size.lane * story.lanes.length;
  const text = `${formatLength(pause)} later`;
  return shape(
    "g",
    { class: "pause" },
    shape("path", { d: `M${size.time} ${y}H${right}` }),
    shape("text", { x: (size.time + right) / 2, y: y + 4 }, text),
  );
}

/** Draws the names of the lanes over their columns. */
const drawHeads = (story: Story, height: number): StoryShape[] =>
  story.lanes.map((lane) => {
    const x = centreOf(story, lane);
    return shape(
      "g",
      { class: "lane" },
      shape("path", { d: `M${x} ${size.head}V${height - size.edge}` }),
      shape("rect", { x: x - 50, y: 12, width: 100, height: 26, rx: 6 }),
      shape("text", { x, y: 30 }, lane),
    );
  });

/** Style sheet of pictures, for light and dark pages. */
export const storyStyle = `.story{--ink:#1f2328;--soft:#59636e;--edge:#d1d9e0;--page:#fff;--note:#f6f8fa;--good:#1a7f37;--wait:#9a6700;--bad:#cf222e;background:var(--page);font:12px/1.2 ui-sans-serif,system-ui,sans-serif}
@media(prefers-color-scheme:dark){.story{--ink:#f0f6fc;--soft:#9198a1;--edge:#3d444d;--page:#0d1117;--note:#151b23;--good:#3fb950;--wait:#d29922;--bad:#f85149}}
.story text{fill:var(--ink);text-anchor:middle}
.story .time{fill:var(--soft);text-anchor:start;font-variant-numeric:tabular-nums}
.story path{stroke:var(--soft);fill:none}
.story .lane path,.story .pause path{stroke:var(--edge);stroke-dasharray:3 4}
.story .lane rect,.story .note rect{fill:var(--note);stroke:var(--edge)}
.story .lane text{font-weight:600}
.story .pause text{fill:var(--soft);stroke:var(--page);stroke-width:8px;paint-order:stroke}
.story .reply path:first-child{stroke-dasharray:5 3}
.story .head{fill:var(--soft);stroke:none}
.story .mark{stroke-width:2}
.story .good path{stroke:var(--good)}.story .good .head{fill:var(--good);stroke:none}
.story .wait path{stroke:var(--wait)}.story .wait .head{fill:var(--wait);stroke:none}
.story .bad path{stroke:var(--bad)}.story .bad .head{fill:var(--bad);stroke:none}
`;

const widthOf = (story: Story): number =>
  size.time + size.lane * story.lanes.length + (size.note - size.lane) / 2 + size.edge;

/** Draws a story. The description of the picture is the story as an ordered list. `title` is its name for screen readers. */
export function drawStory(story: Story, title: string): StoryShape {
  const width = widthOf(story);
  let y = size.head;
  const rows = story.rows.map((row) => {
    if (isPause(row)) {
      y += size.pause;
      return drawPause(story, row.pause, y - size.pause / 2);
    }
    y += size.step;
    const top = y + size.line / 2 + 8;
    const lines = row.lines.map((line) => {
      const label = labelOf(story, line, row);
      y += size.line + (label.length - 1) * size.text;
      return drawLine(story, line, row, label, y - size.line / 2 + 8);
    });
    return shape(
      "g",
      { class: "step", "data-ids": row.ids.join(" ") },
      shape("text", { class: "time", x: 8, y: top + 3 }, formatClock(row.from)),
      ...lines,
    );
  });
  const height = y + size.edge;
  const list = formatSteps(story).map((line, index) => `${index + 1}. ${line}`);
  return shape(
    "svg",
    { class: "story", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" },
    shape("title", {}, title),
    shape("desc", {}, list.join("\n")),
    ...drawHeads(story, height),
    ...rows,
  );
}

/** Formats a story as a self-contained picture. */
export function formatSvg(story: Story, title: string): string {
  const { tag, attributes, children } = drawStory(story, title);
  const [name, description, ...parts] = children as [StoryShape, StoryShape, ...StoryShape[]];
  const alone = {
    tag,
    attributes: { xmlns: "http://www.w3.org/2000/svg", ...attributes },
    children: [name, description, shape("style", {}, storyStyle), ...parts],
  };
  return `${formatShape(alone).text}\n`;
}

/** Formats an element with its content. */
export function formatShape({ tag, attributes, children }: StoryShape): Html {
  const name = new Html(tag);
  const named = Object.entries(attributes).map(([key, value]) => html` ${new Html(key)}="${value}"`);
  const inner = children.map((child) => (typeof child === "string" ? html`${child}` : formatShape(child)));
  return html`<${name}${named}>${inner}</${name}>`;
}

/** Style sheet that shows pictures as a list of steps below a width of 30rem and on paper. */
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
