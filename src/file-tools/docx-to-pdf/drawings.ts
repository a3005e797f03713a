/** Reads pictures and text boxes in DrawingML and in the older VML. */
import type { Hyperlink, PictureFrame, PictureItem } from "./nodes.js";
import { clamp, pointsOf } from "./run-style.js";
import type { DocxStory } from "./story.js";
import { child, findElement, isTrue, type XmlElement } from "./xml.js";

/** A picture, the alternative text of a picture that cannot be shown, or a text box. */
export type Drawing = PictureItem | { kind: "altText"; text: string } | { kind: "box"; box: XmlElement };

const emuPerPoint = 12_700;

interface DrawingPicture {
  relationship: string | undefined;
  width: number | undefined;
  height: number | undefined;
  altText: string;
  frame: PictureFrame | null;
  /** Positioned in the text like a character. */
  isInLine: boolean;
}

function readPicture(
  drawing: XmlElement,
  blip: XmlElement,
  fill: XmlElement,
  isAlone: boolean,
): DrawingPicture {
  const [extent] = findElement(drawing, "wp:extent");
  const [about] = findElement(drawing, "wp:docPr");
  const points = (value: string | undefined) => (Number(value) > 0 ? Number(value) / emuPerPoint : undefined);
  return {
    relationship: blip.attributes["r:embed"] ?? blip.attributes["r:link"],
    width: points(extent?.attributes.cx),
    height: points(extent?.attributes.cy),
    altText: about?.attributes.descr || about?.attributes.title || "",
    frame: readFrame(child(fill, "a:srcRect"), findElement(drawing, "a:xfrm").next().value),
    isInLine: isAlone && child(drawing, "wp:inline") !== undefined,
  };
}

/** Parses thousandths of a percent or, in strict OOXML, a percentage. */
function readShare(value: string | undefined): number {
  const share = value?.endsWith("%") ? Number(value.slice(0, -1)) / 100 : Number(value) / 100_000;
  return clamp(share || 0, -1, 0.95);
}

function readFrame(source: XmlElement | undefined, form: XmlElement | undefined): PictureFrame | null {
  const side = (name: string) => readShare(source?.attributes[name]);
  const crop = { left: side("l"), top: side("t"), right: side("r"), bottom: side("b") };
  const frame = {
    ...crop,
    rotation: (Number(form?.attributes.rot) % 21_600_000 || 0) / 60_000,
    "flips-across": isTrue(form?.attributes.flipH),
    "flips-down": isTrue(form?.attributes.flipV),
  };
  const isPlain = Object.values(frame).every((value) => !value);
  const isEmpty = crop.left + crop.right > 0.99 || crop.top + crop.bottom > 0.99;
  return isPlain || isEmpty ? null : frame;
}

/** VML stores sizes in a style attribute. */
function readVmlPicture(shape: XmlElement, data: XmlElement): DrawingPicture {
  const style = shape.attributes.style ?? "";
  const length = (name: string) =>
    pointsOf(new RegExp(`(?:^|;)\\s*${name}:([\\d.]+(?:pt|in|cm|mm))`).exec(style)?.[1]);
  return {
    relationship: data.attributes["r:id"],
    width: length("width"),
    height: length("height"),
    altText: shape.attributes.alt ?? data.attributes["o:title"] ?? "",
    frame: null,
    isInLine: !/(?:^|;)\s*position:\s*absolute/.test(style),
  };
}

/** `fill` is the element that refers to the picture. */
function toDrawing(picture: DrawingPicture, fill: XmlElement, story: DocxStory, link: Hyperlink): Drawing {
  const relationship = story.relationships.get(picture.relationship ?? "");
  const path =
    relationship && !relationship.isExternal ? story.images.pathOf(relationship.target) : undefined;
  if (path === undefined) {
    story.report.leaveOut("picture", fill);
    return { kind: "altText", text: `[${picture.altText || "Picture"}]` };
  }
  const { width = 200, height = 150, altText, frame, isInLine } = picture;
  return { kind: "picture", path, width, height, alt: altText || null, frame, "in-line": isInLine, ...link };
}

export function* readDrawings(element: XmlElement, story: DocxStory, link: Hyperlink): Generator<Drawing> {
  const fills = [...findFills(element)];
  for (const fill of fills) {
    const blip = child(fill, "a:blip");
    if (blip) yield toDrawing(readPicture(element, blip, fill, fills.length === 1), fill, story, link);
  }
  for (const shape of element.name === "w:drawing" ? [] : findShapes(element)) {
    const data = child(shape, "v:imagedata");
    if (data) yield toDrawing(readVmlPicture(shape, data), data, story, link);
  }
  for (const box of findElement(element, "w:txbxContent")) yield { kind: "box", box };
}

/** Finds picture fills outside text boxes, whose pictures are read with their text. */
function* findFills(element: XmlElement): Generator<XmlElement> {
  for (const one of element.children) {
    if (typeof one === "string" || one.name === "w:txbxContent") continue;
    if (one.name.endsWith("blipFill")) yield one;
    else yield* findFills(one);
  }
}

function* findShapes(element: XmlElement): Generator<XmlElement> {
  for (const one of element.children) {
    if (typeof one === "string" || one.name === "w:txbxContent") continue;
    if (child(one, "v:imagedata")) yield one;
    else yield* findShapes(one);
  }
}
