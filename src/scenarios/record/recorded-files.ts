/** The uploads of a recording: files beside the scenario, or fixtures in place of those that are no longer kept. */
import { extname } from "node:path";
import type { CallFile } from "../../world/activity/activity.js";
import { standInFor } from "../bundled-scenarios.js";

export interface RecordedFile {
  /** Name beside the scenario. */
  name: string;
  base64: string;
}

export class RecordedFiles {
  readonly #files = new Map<string, RecordedFile>();

  /** Returns the files in order of their first use. */
  list(): RecordedFile[] {
    return [...this.#files.values()];
  }

  /** Returns the file as a step names it. `standIn` is true if a fixture replaces it. Null if none fits. */
  use({ field, filename, type, sha256, kept }: CallFile): { fixture: string; standIn: boolean } | null {
    if (kept.bytes === null) {
      const fixture = standInFor(field, type ?? "");
      return fixture ? { fixture: fixture.file, standIn: true } : null;
    }
    const name = `upload-${sha256.slice(0, 12)}${extname(filename).replace(/[^.\w]/g, "")}`;
    this.#files.set(sha256, { name, base64: Buffer.from(kept.bytes).toString("base64") });
    return { fixture: name, standIn: false };
  }
}
