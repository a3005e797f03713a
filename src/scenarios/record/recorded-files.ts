/** The uploads of a recording: files beside the scenario, or fixtures in place of those that are no longer kept. */
import { extname } from "node:path";
import type { CallFile } from "../../world/activity/activity.js";

export interface RecordedFile {
  /** Name beside the scenario. */
  name: string;
  base64: string;
}

/** Fixtures that stand in for files of a type. */
const fixtures: readonly (readonly [type: RegExp, field: RegExp, fixture: string])[] = [
  [/^image\//, /selfie/, "selfie.jpg"],
  [/^image\//, /./, "id-card.png"],
  [/^video\//, /./, "clip.mp4"],
  [/^audio\//, /./, "tone.wav"],
  [/^application\/pdf$/, /./, "order.pdf"],
  [
    /^application\/(?:zip|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)$/,
    /./,
    "order.docx",
  ],
];

export class RecordedFiles {
  readonly #files = new Map<string, RecordedFile>();

  /** Returns the files in order of their first use. */
  list(): RecordedFile[] {
    return [...this.#files.values()];
  }

  /** Returns the file as a step names it. `standIn` is true if a fixture replaces it. Null if none fits. */
  use({ field, filename, type, sha256, kept }: CallFile): { fixture: string; standIn: boolean } | null {
    if (kept.bytes === null) {
      const [, , fixture = null] =
        fixtures.find(([types, fields]) => types.test(type ?? "") && fields.test(field)) ?? [];
      return fixture === null ? null : { fixture, standIn: true };
    }
    const name = `upload-${sha256.slice(0, 12)}${extname(filename).replace(/[^.\w]/g, "")}`;
    this.#files.set(sha256, { name, base64: Buffer.from(kept.bytes).toString("base64") });
    return { fixture: name, standIn: false };
  }
}
