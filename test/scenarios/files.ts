/** Scenario files as texts, and what is wrong with them. */

import { controlOperations } from "../../src/control/index.js";
import { InvalidScenario, parseScenario } from "../../src/scenarios/parse-scenario.js";
import type { Scenario } from "../../src/scenarios/scenario-file.js";
import { serviceOperations } from "../../src/service/index.js";

export const operations = [...serviceOperations, ...controlOperations];

export const parse = (text: string): Promise<Scenario> => parseScenario(text, "story.yaml", operations);

/** What is wrong with the file, one line each; rejects when nothing is. */
export async function wrongIn(text: string): Promise<string[]> {
  const parsed = await parse(text).catch((error: unknown) => error);
  if (parsed instanceof InvalidScenario) return parsed.message.split("\n");
  throw parsed instanceof Error ? parsed : new Error("nothing is wrong with it");
}

/** `${…}`, as files write it. */
export const ref = (path: string): string => `\${${path}}`;

export const lines = (...all: string[]): string => `${all.join("\n")}\n`;
