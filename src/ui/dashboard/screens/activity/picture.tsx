/** The story of an activity as a picture, to look at, copy and save. */
import type { ActivityExplanation } from "../../../../client/account/types.js";
import { formatMermaid, toStory } from "../../../../documents/story/story.js";
import { formatSvg } from "../../../../documents/story/svg.js";
import { Action, Copy } from "../../pieces/button.js";
import { saveFile } from "../../pieces/save-file.js";
import { StoryPicture } from "../../pieces/story-picture.js";

export default function Picture({ explanation }: { explanation: ActivityExplanation }) {
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
