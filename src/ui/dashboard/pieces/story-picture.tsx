/** A story in the page: as a picture, or as a list of steps where a picture is too wide. */
import { h, type VNode } from "preact";
import { listStory, stepListStyle } from "../../../documents/story/step-list.js";
import type { Story } from "../../../documents/story/story.js";
import { drawStory, type StoryShape, storyStyle } from "../../../documents/story/svg.js";

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

export const StoryPicture = ({ story, title }: StoryPictureProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
  <section class="picture" tabIndex={0} aria-label="Picture">
    {toNode(drawStory(story, title))}
    {toNode(listStory(story))}
  </section>
);
