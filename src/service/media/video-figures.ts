/** Figures of a video, read from its container. */
export interface VideoFigures {
  /** In seconds; null if unknown. */
  duration: number | null;
  /** Total duration of the fragments of a fragmented file, in seconds. */
  fragments: number;
  /** Number of frames of the first video track, or of blocks of all tracks. */
  frames: number | null;
  width: number;
  height: number;
  hasVideo: boolean;
  /** Metadata text in the container, such as encoder and camera. */
  metadata: string;
  bytes: number;
}

export const emptyFigures = (): VideoFigures => ({
  duration: null,
  fragments: 0,
  frames: null,
  width: 0,
  height: 0,
  hasVideo: false,
  metadata: "",
  bytes: 0,
});

/** Further metadata is dropped. */
const maxMetadataCharacters = 64 * 1024;

export function addMetadata(figures: VideoFigures, texts: Buffer | null): void {
  const room = maxMetadataCharacters - figures.metadata.length;
  if (texts && room > 0) figures.metadata += `${texts.subarray(0, room - 1).toString("latin1")}\n`;
}
