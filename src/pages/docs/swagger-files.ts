/** Reads the files of swagger-ui that the build copies into dist/docs/. They are large, so they are not kept in memory. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";

export const swaggerFiles = ["swagger-ui-bundle.js", "swagger-ui.css"] as const;

/** Beside dist/bundle/. If the sources run unbuilt, the files of the last build. */
const folder = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/docs/" : "../docs/", import.meta.url);

export async function hasSwaggerFiles(): Promise<boolean> {
  const checks = swaggerFiles.map((name) => access(new URL(name, folder), constants.R_OK));
  const results = await Promise.allSettled(checks);
  return results.every(({ status }) => status === "fulfilled");
}

/** Reads a file with its ETag. Returns null if it does not exist. */
export async function readSwaggerFile(name: string): Promise<{ content: Buffer; etag: string } | null> {
  try {
    const content = await readFile(new URL(name, folder));
    return { content, etag: `"${createHash("sha256").update(content).digest("base64url")}"` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
