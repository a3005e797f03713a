/** Returns the 8-connected regions of pixels for which `belongs` is true, as lists of pixel indices. */
export function connectedRegions(
  width: number,
  height: number,
  belongs: (at: number) => boolean,
): number[][] {
  const seen = new Uint8Array(width * height);
  const regions: number[][] = [];
  for (let at = 0; at < seen.length; at++) {
    if (seen[at] || !belongs(at)) continue;
    const pixels = [at];
    seen[at] = 1;
    for (let next = 0; next < pixels.length; next++)
      forEachNeighbour(pixels[next] as number, width, height, (to) => {
        if (seen[to] || !belongs(to)) return;
        seen[to] = 1;
        pixels.push(to);
      });
    regions.push(pixels);
  }
  return regions;
}

function forEachNeighbour(at: number, width: number, height: number, visit: (to: number) => void): void {
  const x = at % width;
  const y = (at - x) / width;
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
      if (row !== y || column !== x) visit(row * width + column);
}
