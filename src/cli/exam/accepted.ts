/** Findings that a team has decided to live with, and what the last exam found. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { isObject, parseObject } from "../../contract/json.js";
import { readTextFile } from "../../contract/read-file.js";
import { UsageError } from "../errors.js";
import { writeInFolder } from "../output/write-file.js";

/** Reads the reasons of accepted findings by id, from a YAML or JSON file. Rejects with a UsageError. */
export async function readAccepted(file: string): Promise<ReadonlyMap<string, string>> {
  const right = `--accept takes a file with lines such as "survived/createPayout/reply-lost: paid by hand, and checked each day"`;
  const value = await readTextFile(file)
    .then((text): unknown => parse(text))
    .catch((error: Error) => {
      throw new UsageError(`${right}; ${error.message}`);
    });
  if (!isObject(value)) throw new UsageError(`${right}; ${file} has no such lines`);
  for (const [id, reason] of Object.entries(value))
    if (typeof reason !== "string" || reason.trim() === "")
      throw new UsageError(`${right}; ${file} gives no reason for ${id}`);
  return new Map(Object.entries(value) as [string, string][]);
}

const lastFile = (folder: string): string => join(folder, "last.json");

/** Returns the ids of what the last exam with this folder has found. Empty without one. */
export async function readLast(folder: string): Promise<string[]> {
  const text = await readFile(lastFile(folder), "utf8").catch(() => null);
  const { findings } = parseObject(text) ?? {};
  return Array.isArray(findings) ? findings.map(String) : [];
}

export const writeLast = (folder: string, findings: readonly string[]): Promise<void> =>
  writeInFolder("what was found", lastFile(folder), `${JSON.stringify({ findings }, null, 2)}\n`);
