/** The files of swagger-ui, copied by the build into dist/docs/. They are large: read when asked for, and not kept. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";

export const fileNames = ["swagger-ui-bundle.js", "swagger-ui.css"] as const;

/** Bundles lie in dist/bundle/; sources that run as they are use what was built last. */
const folder = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/docs/" : "../docs/", import.meta.url);

export async function filesAreThere(): Promise<boolean> {
  const looks = fileNames.map((name) => access(new URL(name, folder), constants.R_OK));
  const found = await Promise.allSettled(looks);
  return found.every(({ status }) => status === "fulfilled");
}

/** The content and its validator; null where there is no such file. */
export async function readDocsFile(name: string): Promise<{ content: Buffer; etag: string } | null> {
  try {
    const content = await readFile(new URL(name, folder));
    return { content, etag: `"${createHash("sha256").update(content).digest("base64url")}"` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
