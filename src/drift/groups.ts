/** The groups of operations that `--only` selects, after those of the interface. */
import { pathOf, type Route } from "../contract/operation.js";

/** Groups by the first segments of their paths below /v1. `general` has what holds for every operation. */
const segments = {
  general: [],
  phone: ["phone"],
  identity: ["verify"],
  sessions: ["streaming"],
  account: ["balance", "usage", "pricing"],
  tools: ["tools"],
  audits: ["audits", "domains"],
  media: ["media-scan"],
  channels: ["wa"],
  business: ["business"],
  webhooks: ["webhooks"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Group = keyof typeof segments;

export const groups = Object.keys(segments) as readonly Group[];

export function groupOf(operation: { route: Route }): Group {
  const segment = pathOf(operation).split("/")[2] ?? "";
  return groups.find((group) => (segments[group] as readonly string[]).includes(segment)) ?? "general";
}
