/** The groups of operations that `--only` selects: the sections of the interface, and `general` for what holds for every operation. */
import { pathOf, type Route } from "../contract/operation.js";
import { covers, type SectionId, serviceSections } from "../service/sections.js";

export type Group = "general" | SectionId;

export const groups: readonly Group[] = ["general", ...serviceSections.map(({ id }) => id)];

export function groupOf(operation: { route: Route }): Group {
  const path = pathOf(operation);
  return serviceSections.find((section) => covers(section, path))?.id ?? "general";
}
