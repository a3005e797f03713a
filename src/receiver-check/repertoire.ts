/** All checks, in the order in which they run: what may end a receiver comes late. */
import { againGroup } from "./again.js";
import type { CheckGroup } from "./check.js";
import { forgedGroup } from "./forged.js";
import { genuineGroups } from "./genuine.js";
import { oddGroup } from "./odd.js";
import { slowGroup, timeCheck } from "./slow.js";

export const checkGroups = (timeout: number): readonly CheckGroup[] => [
  ...genuineGroups,
  againGroup,
  slowGroup,
  forgedGroup,
  oddGroup,
  { name: "time", heading: "Time", checks: [timeCheck(timeout)] },
];

/** Those whose ids or groups are named; all, where none is. Throws a RangeError at a name that names nothing. */
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
