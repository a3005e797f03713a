/** Draws stories: of an activity, to copy and save, and of the run of a scenario. Loaded with the first picture that is shown. */
import { h, type VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { ActivityExplanation } from "../../../client/account/types.js";
import {
  drawStory,
  formatSvg,
  listStory,
  type StoryShape,
  stepListStyle,
  storyStyle,
} from "../../../documents/story/picture.js";
import { formatMermaid, type Story, tell, toStory } from "../../../documents/story/story.js";
import { controlClient } from "../api/control.js";
import { useResource } from "../state/resource.js";
import { Action, Copy } from "./button.js";
import { saveFile } from "./json-file.js";
import { Loaded } from "./layout.js";

// The policy of the page allows no style element.
const sheet = new CSSStyleSheet();
sheet.replaceSync(storyStyle + stepListStyle);
document.adoptedStyleSheets.push(sheet);

const toNode = ({ tag, attributes, children }: StoryShape): VNode =>
  h(tag, attributes, ...children.map((child) => (typeof child === "string" ? child : toNode(child))));

interface StoryPictureProps {
  story: Story;
  /** Name for screen readers. */
  title: string;
}

/** A story as a picture, or as a list of steps where a picture is too wide. */
const StoryPicture = ({ story, title }: StoryPictureProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
  <section class="picture" tabIndex={0} aria-label="Picture">
    {toNode(drawStory(story, title))}
    {toNode(listStory(story))}
  </section>
);

/** The story of an activity, to look at, copy and save. */
export function ActivityPicture({ explanation }: { explanation: ActivityExplanation }) {
  const { id } = explanation.activity;
  const title = `Story of ${id}`;
  const story = toStory(explanation);
  return (
    <>
      <StoryPicture story={story} title={title} />
      <div class="actions">
        <Copy text={() => formatSvg(story, title)} label="Copy as SVG" hasEdge />
        <Copy text={() => formatMermaid(story)} label="Copy as Mermaid" hasEdge />
        <Action run={() => savePng(formatSvg(story, title), `${id}.png`)}>Save as PNG</Action>
      </div>
    </>
  );
}

/** Pixels of the saved picture for one px, so that text stays sharp. */
const sharpness = 2;

async function savePng(svg: string, file: string): Promise<void> {
  const image = new Image();
  const source = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * sharpness;
  canvas.height = image.height * sharpness;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(source);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!png) throw new Error("The picture is too large for this browser to save.");
  saveFile(png, file);
}

interface RunPictureProps {
  /** Account of the run. */
  account: string;
  name: string;
  /** Number of steps that have ended. */
  steps: number;
}

/** Maximum number of activities that are drawn. */
const maxDrawn = 1_000;

/** The run of a scenario, drawn again after each of its steps. */
export function RunPicture({ account, name, steps }: RunPictureProps) {
  const read = useResource(
    async () =>
      (await controlClient(account).call("listActivity", { query: { limit: maxDrawn } })).value.items,
    [account],
  );
  useEffect(() => void read.reload(), [steps]);
  return (
    <Loaded of={read}>
      {(newestFirst) => <StoryPicture story={tell(newestFirst.toReversed())} title={name} />}
    </Loaded>
  );
}
