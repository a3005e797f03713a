/** Compares the content of a reply with the sandbox's reply: fields, amounts, flags, states and error codes. */

import { errorCodeOf } from "../../contract/error-body.js";
import { isObject } from "../../contract/json.js";
import { machines } from "../../service/machines.js";
import { type AnyMachine, targetsOf } from "../../world/records/machine.js";
import { groupOf } from "../groups.js";
import type { PlayedCall } from "../play.js";
import { type Deviation, describe, fieldName, join } from "./deviations.js";

/** Fields whose amounts follow from the request. Balances and totals depend on what the account did before. */
const amounts = new Set(["amount", "fee", "net", "you_receive", "cost", "price", "price_per_minute"]);

/** Groups whose replies describe people and sites that the service knows and the sandbox invents. */
const aboutTheWorld: readonly string[] = ["identity", "media", "audits", "account"];

/** Returns where the service's reply differs from the sandbox's, although both requests were the same. */
export function compareValues(ours: PlayedCall, theirs: PlayedCall): Deviation[] {
  const { operation } = ours;
  if (ours.reply.status >= 400) return compareCodes(ours.reply.body, theirs.reply.body);
  const isWorld = aboutTheWorld.includes(groupOf(operation));
  return walk(ours.reply.body, theirs.reply.body, "", {
    isWorld,
    isRead: operation.route.startsWith("GET "),
  });
}

function compareCodes(ours: unknown, theirs: unknown): Deviation[] {
  const [own, other] = [errorCodeOf(ours), errorCodeOf(theirs)];
  return own === other || own === null || other === null
    ? []
    : [{ at: "error code", problem: `is ${other} where the sandbox has ${own}` }];
}

interface Walk {
  readonly isWorld: boolean;
  /** Whether the request only reads, so that time may have moved the record since. */
  readonly isRead: boolean;
}

function walk(ours: unknown, theirs: unknown, at: string, how: Walk): Deviation[] {
  if (Array.isArray(ours) && Array.isArray(theirs))
    return ours.length > 0 && theirs.length > 0 ? walk(ours[0], theirs[0], `${at}[]`, how) : [];
  if (!isObject(ours) || !isObject(theirs)) return [];
  return Object.keys(ours).flatMap((key) => {
    const path = join(at, fieldName(key));
    if (!Object.hasOwn(theirs, key)) return [{ at: path, problem: "is missing, and the sandbox has it" }];
    return [...compareField(key, ours, theirs, path, how), ...walk(ours[key], theirs[key], path, how)];
  });
}

type Fields = Readonly<Record<string, unknown>>;

function compareField(key: string, ours: Fields, theirs: Fields, at: string, how: Walk): Deviation[] {
  const [own, other] = [ours[key], theirs[key]];
  if (own === other || typeof own !== typeof other) return [];
  if (typeof own === "number" && amounts.has(key))
    return [{ at, problem: `is ${other} where the sandbox has ${own}` }];
  if (how.isWorld) return [];
  if (typeof own === "boolean") return [{ at, problem: `is ${other} where the sandbox has ${own}` }];
  if (key !== "status" || isOnlyLater(ours, String(own), String(other), how)) return [];
  return [{ at, problem: `is ${describe(other)} where the sandbox has ${describe(own)}` }];
}

const isOnlyLater = (record: Fields, own: string, other: string, { isRead }: Walk): boolean =>
  isRead && (canBecome(record, own, other) || canBecome(record, other, own));

/** Returns whether a machine of the record leads from one state to the other. True if it has no machine. */
export function canBecome({ id }: Fields, from: string, to: string): boolean {
  const candidates = typeof id === "string" ? machines.filter(({ prefix }) => id.startsWith(prefix)) : [];
  return candidates.length === 0 || candidates.some((machine) => leadsTo(machine, from, to));
}

function leadsTo(machine: AnyMachine, from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const state of reached)
    for (const move of machine.from.get(state) ?? [])
      for (const next of targetsOf(machine.moves[move] ?? {}, state)) reached.add(next);
  return reached.has(to);
}
