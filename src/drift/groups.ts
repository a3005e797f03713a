/** The operations that drift may call, and their groups. */
import { type AnyOperation, methodOf, pathOf, type Route } from "../contract/operation.js";
import { serviceOperations } from "../service/index.js";
import { covers, type SectionId, serviceSections } from "../service/sections.js";

export type Group = "general" | SectionId;

export const groups: readonly Group[] = ["general", ...serviceSections.map(({ id }) => id)];

export function groupOf(operation: { route: Route }): Group {
  const path = pathOf(operation);
  return serviceSections.find((section) => covers(section, path))?.id ?? "general";
}

/** Ids of the operations that reach no person, move no money and change no settings, whatever the key. */
const harmless: ReadonlySet<string> = new Set(
  serviceOperations
    .filter((operation) => operation.isHarmless || methodOf(operation) === "GET")
    .map(({ id }) => id),
);

/** Ids of all operations. With a test key, none of them has a real effect. */
const known: ReadonlySet<string> = new Set(serviceOperations.map(({ id }) => id));

/** Returns whether a drift run may call an operation. Each other call is refused before it is sent. */
export const isAllowed = (operation: string, live: boolean): boolean =>
  (live ? harmless : known).has(operation);

/** The operations that take an API key and that a test key may call. */
export const testKeyOperations: readonly AnyOperation[] = serviceOperations.filter(
  ({ id, auth }) => auth === "key" && isAllowed(id, false),
);
