/** All checks of a receiver, by group, in the order in which they run: those that may end a receiver come late. */
import type { CheckGroup } from "./check.js";
import { forgedDeliveryGroup } from "./forged-delivery-checks.js";
import { genuineDeliveryGroups } from "./genuine-delivery-checks.js";
import { redeliveryGroup } from "./redelivery-checks.js";
import { responseTimeCheck, slowConnectionGroup } from "./slow-connection-checks.js";
import { unexpectedRequestGroup } from "./unexpected-request-checks.js";

export const checkGroups = (timeout: number): readonly CheckGroup[] => [
  ...genuineDeliveryGroups,
  redeliveryGroup,
  slowConnectionGroup,
  forgedDeliveryGroup,
  unexpectedRequestGroup,
  { name: "time", heading: "Time", checks: [responseTimeCheck(timeout)] },
];

/** Returns the checks with these ids or in these groups, or all if no names are given. Throws a RangeError at an unknown name. */
export function selectChecks(
  groups: readonly CheckGroup[],
  names: readonly string[] = [],
): readonly CheckGroup[] {
  const known = new Set(groups.flatMap(({ name, checks }) => [name, ...checks.map(({ id }) => id)]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new RangeError(
      `there is no check ${JSON.stringify(unknown)}; the groups are ${groups.map(({ name }) => name).join(", ")}`,
    );
  if (names.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      checks: group.checks.filter(({ id }) => names.includes(group.name) || names.includes(id)),
    }))
    .filter(({ checks }) => checks.length > 0);
}
