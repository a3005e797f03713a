/** Pictures and text boxes within a paragraph, in both of Word's drawing languages. */
import type { Frame, ImageNode } from "./nodes.js";
import { turnedRoom } from "./picture-frame.js";
import { clamp, compact, pointsOf } from "./run-style.js";
import type { Story } from "./story.js";
import { child, find, isTrue, type XmlElement } from "./xml.js";

/** A picture that can be shown, words in place of one that cannot, or the blocks of a text box. */
export type Drawing =
  | { kind: "image"; image: ImageNode; isInLine: boolean }
  | { kind: "words"; text: string }
  | { kind: "box"; box: XmlElement };

const emuAPoint = 12_700;

interface Picture {
  relation: string | undefined;
  width: number | undefined;
  height: number | undefined;
  words: string;
  frame: Omit<Frame, "share"> | undefined;
  /** Moves with the text around it, as a letter does. */
  isInLine: boolean;
}

function pictureOf(drawing: XmlElement, blip: XmlElement, fill: XmlElement, isAlone: boolean): Picture {
  const [extent] = find(drawing, "wp:extent");
  const [about] = find(drawing, "wp:docPr");
  const points = (value: string | undefined) => (Number(value) > 0 ? Number(value) / emuAPoint : undefined);
  return {
    relation: blip.attributes["r:embed"] ?? blip.attributes["r:link"],
    width: points(extent?.attributes.cx),
    height: points(extent?.attributes.cy),
    words: about?.attributes.descr || about?.attributes.title || "",
    frame: frameOf(child(fill, "a:srcRect"), find(drawing, "a:xfrm").next().value),
    isInLine: isAlone && child(drawing, "wp:inline") !== undefined,
  };
}

/** Thousandths of a percent, or a percentage as the strict edition writes it. */
function shareOf(value: string | undefined): number {
  const share = value?.endsWith("%") ? Number(value.slice(0, -1)) / 100 : Number(value) / 100_000;
  return clamp(share || 0, -1, 0.95);
}

function frameOf(source: XmlElement | undefined, form: XmlElement | undefined): Picture["frame"] {
  const side = (name: string) => shareOf(source?.attributes[name]);
  const crop = { left: side("l"), top: side("t"), right: side("r"), bottom: side("b") };
  const frame = {
    crop,
    turn: (Number(form?.attributes.rot) % 21_600_000 || 0) / 60_000,
    flipsAcross: isTrue(form?.attributes.flipH),
    flipsDown: isTrue(form?.attributes.flipV),
  };
  const isWhole = Object.values(crop).every((share) => share === 0);
  const isPlain = isWhole && frame.turn === 0 && !frame.flipsAcross && !frame.flipsDown;
  const isEmpty = crop.left + crop.right > 0.99 || crop.top + crop.bottom > 0.99;
  return isPlain || isEmpty ? undefined : frame;
}

/** The older language keeps sizes in a style attribute. */
function vmlPicture(shape: XmlElement, data: XmlElement): Picture {
  const style = shape.attributes.style ?? "";
  const length = (name: string) =>
    pointsOf(new RegExp(`(?:^|;)\\s*${name}:([\\d.]+(?:pt|in|cm|mm))`).exec(style)?.[1]);
  return {
    relation: data.attributes["r:id"],
    width: length("width"),
    height: length("height"),
    words: shape.attributes.alt ?? data.attributes["o:title"] ?? "",
    frame: undefined,
    isInLine: !/(?:^|;)\s*position:\s*absolute/.test(style),
  };
}

function toDrawing(picture: Picture, story: Story, link: string | undefined): Drawing {
  const relation = story.relations.get(picture.relation ?? "");
  const isShown = relation && !relation.isExternal && story.images.has(relation.target);
  if (!isShown) return { kind: "words", text: `[${picture.words || "Picture"}]` };
  const { width = 200, height = 150, frame } = picture;
  const room = turnedRoom({ width, height }, frame?.turn ?? 0);
  const share = { width: width / room.width, height: height / room.height };
  const image = compact<ImageNode>({
    image: relation.target,
    ...room,
    link,
    frame: frame && { ...frame, share },
  });
  return { kind: "image", image, isInLine: picture.isInLine };
}

export function* drawingsOf(element: XmlElement, story: Story, link: string | undefined): Generator<Drawing> {
  const fills = [...fillsOf(element)];
  for (const fill of fills) {
    const blip = child(fill, "a:blip");
    if (blip) yield toDrawing(pictureOf(element, blip, fill, fills.length === 1), story, link);
  }
  for (const shape of element.name === "w:drawing" ? [] : shapesOf(element)) {
    const data = child(shape, "v:imagedata");
    if (data) yield toDrawing(vmlPicture(shape, data), story, link);
  }
  for (const box of find(element, "w:txbxContent")) yield { kind: "box", box };
}

/** Of the drawing itself: text boxes have pictures of their own, read with their text. */
function* fillsOf(element: XmlElement): Generator<XmlElement> {
  for (const one of element.children) {
    if (typeof one === "string" || one.name === "w:txbxContent") continue;
    if (one.name.endsWith("blipFill")) yield one;
    else yield* fillsOf(one);
  }
}

function* shapesOf(element: XmlElement): Generator<XmlElement> {
  for (const one of element.children) {
    if (typeof one === "string" || one.name === "w:txbxContent") continue;
    if (child(one, "v:imagedata")) yield one;
    else yield* shapesOf(one);
  }
}
