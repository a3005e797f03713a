/** Pixels that hang together. */

export interface Region {
  pixels: readonly number[];
}

/** The regions of pixels for which `belongs` is true, neighbours at a side or a corner. */
export function regionsOf(width: number, height: number, belongs: (at: number) => boolean): Region[] {
  const seen = new Uint8Array(width * height);
  const regions: Region[] = [];
  for (let at = 0; at < seen.length; at++) {
    if (seen[at] || !belongs(at)) continue;
    const pixels = [at];
    seen[at] = 1;
    for (let next = 0; next < pixels.length; next++)
      forNeighbours(pixels[next] as number, width, height, (to) => {
        if (seen[to] || !belongs(to)) return;
        seen[to] = 1;
        pixels.push(to);
      });
    regions.push({ pixels });
  }
  return regions;
}

function forNeighbours(at: number, width: number, height: number, visit: (to: number) => void): void {
  const x = at % width;
  const y = (at - x) / width;
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
      if (row !== y || column !== x) visit(row * width + column);
}
