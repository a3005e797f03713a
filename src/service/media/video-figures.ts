/** What a walk over a video's container has seen. */

export interface VideoFigures {
  /** Seconds; null while the container has not told. */
  duration: number | null;
  /** Seconds that the fragments of a fragmented file add up to. */
  fragments: number;
  /** Frames of the first video track, or blocks of all tracks. */
  frames: number | null;
  width: number;
  height: number;
  hasVideo: boolean;
  /** What the container says of itself: encoder, camera. */
  told: string;
  bytes: number;
}

export const fresh = (): VideoFigures => ({
  duration: null,
  fragments: 0,
  frames: null,
  width: 0,
  height: 0,
  hasVideo: false,
  told: "",
  bytes: 0,
});

/** So much of what a container says of itself is kept, however often it says it. */
const mostTold = 64 * 1024;

export function hear(seen: VideoFigures, texts: Buffer | null): void {
  const room = mostTold - seen.told.length;
  if (texts && room > 0) seen.told += `${texts.subarray(0, room - 1).toString("latin1")}\n`;
}
