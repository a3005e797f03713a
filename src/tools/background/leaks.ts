/** Takes back what the background won by mistake: a shadow that touches a thing of its own lightness leads into it. */
import { slope } from "./deviation.js";
import { plainGround, shadedGround } from "./flood.js";
import { regionsOf } from "./regions.js";
import type { SmallCopy } from "./small-copy.js";

/** Pixels on either side of a passage: what hangs together by narrower ones is judged apart. */
const passage = 3;
/** Of all pixels: smaller patches are rims of things. */
const patch = 0.004;
/** Of its line against the plain ground: a shadow fades out, only things have so much of an edge. */
const edged = 0.25;

/** Returns the pixels of the plain ground beside what it took back. */
export function takeBackLeaks(copy: SmallCopy, noise: number, background: Uint8Array): number[] {
  const { width, height } = copy;
  const steep = 0.011 + 2 * noise;
  const open = openGround(copy, steep, background);
  const cores = regionsOf(width, height, (at) => background[at] === shadedGround && open[at] === 1);
  const taken = new Uint8Array(width * height);
  for (const { pixels } of cores) {
    if (pixels.length < patch * taken.length) continue;
    const region = grown(pixels, copy, (at) => background[at] === shadedGround && !taken[at]);
    if (edgeOf(region, copy, steep, background) < edged) continue;
    for (const at of region) taken[at] = 1;
  }
  const beside = new Set<number>();
  for (const [at, isTaken] of taken.entries()) {
    if (!isTaken) continue;
    background[at] = 0;
    for (const to of [at - 1, at + 1, at - width, at + width])
      if (background[to] === plainGround) beside.add(to);
  }
  return [...beside];
}

/** 1 where neither an object nor an edge is near. */
function openGround(copy: SmallCopy, steep: number, background: Uint8Array): Uint8Array {
  const { width, height } = copy;
  const open = new Uint8Array(width * height).fill(1);
  for (let at = 0; at < open.length; at++) {
    if (background[at] === plainGround || (background[at] && slope(copy, at) <= steep)) continue;
    const x = at % width;
    const y = (at - x) / width;
    for (let row = Math.max(0, y - passage); row <= Math.min(height - 1, y + passage); row++)
      open.fill(0, row * width + Math.max(0, x - passage), row * width + Math.min(width, x + passage + 1));
  }
  return open;
}

/** The pixels and what lies around them, as far as edges keep from them. */
function grown(pixels: readonly number[], { width }: SmallCopy, belongs: (at: number) => boolean): number[] {
  const found = new Set(pixels);
  let front = pixels;
  for (let step = 0; step <= 2 * passage; step++) {
    const next: number[] = [];
    for (const at of front) {
      for (const to of [at - 1, at + 1, at - width, at + width]) {
        if (found.has(to) || !belongs(to)) continue;
        found.add(to);
        next.push(to);
      }
    }
    front = next;
  }
  return [...found];
}

/** Pixels that the edge of a thing may be wide. */
const edgeWidth = 5;

/** The part of a region's line against the plain ground that is steep, or lies behind an edge. */
function edgeOf(region: readonly number[], copy: SmallCopy, steep: number, background: Uint8Array): number {
  const { width } = copy;
  let contacts = 0;
  let edges = 0;
  for (const at of region) {
    for (const direction of [-1, 1, -width, width]) {
      let to = at + direction;
      for (let step = 1; step < edgeWidth && background[to] === 0; step++) to += direction;
      if (background[to] !== plainGround) continue;
      contacts += 1;
      if (to !== at + direction || slope(copy, at) > steep) edges += 1;
    }
  }
  return contacts === 0 ? 0 : edges / contacts;
}
