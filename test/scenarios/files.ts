/** Scenario files as strings, and their problems. */

import { controlOperations } from "../../src/control/index.js";
import { InvalidScenario, parseScenario } from "../../src/scenarios/parse-scenario.js";
import type { Scenario } from "../../src/scenarios/scenario-file.js";
import { serviceOperations } from "../../src/service/index.js";

export const operations = [...serviceOperations, ...controlOperations];

export const parse = (text: string): Promise<Scenario> => parseScenario(text, "story.yaml", operations);

/** Returns the problems of the file, one line each. Rejects if there are none. */
export async function wrongIn(text: string): Promise<string[]> {
  const parsed = await parse(text).catch((error: unknown) => error);
  if (parsed instanceof InvalidScenario) return parsed.message.split("\n");
  throw parsed instanceof Error ? parsed : new Error("nothing is wrong with it");
}

/** Returns a reference, `${…}`. */
export const ref = (path: string): string => `\${${path}}`;

export const lines = (...all: string[]): string => `${all.join("\n")}\n`;
