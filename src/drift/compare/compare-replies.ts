/**
 * Compares the replies of a run with the sandbox's: the content of each reply, which values of a run are the same,
 * which amounts add up, and in which order states come.
 */

import { errorCodeOf } from "../../contract/error-body.js";
import { isObject } from "../../contract/json.js";
import { machines } from "../../service/machines.js";
import { type AnyMachine, targetsOf } from "../../world/records/machine.js";
import { groupOf } from "../groups.js";
import { isPlayedCall, type Played, type PlayedCall } from "../play.js";
import { type Deviation, describe, fieldName, join } from "./deviations.js";

/** A text in a run: where it is, and how to read the text at the same place of another run. */
interface Place {
  readonly at: string;
  readonly key: string;
  readonly text: string;
  read(run: readonly Played[]): unknown;
  readonly inList: boolean;
}

const minLength = 4;
const timestamp = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const isIdentifier = (key: string): boolean => key === "id" || key.endsWith("_id") || key === "reference";

/** Returns whether a text may name a state or kind. Two of those can be equal by chance. A random id may look like a name. */
const isWord = (text: string): boolean => /^[a-z_]+$/.test(text);

const isCompared = (key: string, text: string): boolean =>
  text.length >= minLength && !timestamp.test(text) && (isIdentifier(key) || !isWord(text));

function* textsIn(value: unknown, read: Place["read"], at = "", key = "", inList = false): Generator<Place> {
  if (typeof value === "string") {
    if (isCompared(key, value)) yield { at, key, text: value, read, inList };
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const isItem = Array.isArray(value);
    const path = isItem ? `${at}[]` : join(at, fieldName(name));
    const readInner = (run: readonly Played[]) => (read(run) as Record<string, unknown> | undefined)?.[name];
    yield* textsIn(inner, readInner, path, isItem ? key : name, inList || isItem);
  }
}

const bodyAt = (index: number) => (run: readonly Played[]) => {
  const played = run[index];
  return isPlayedCall(played) ? played.reply.body : undefined;
};
const requestAt = (index: number) => (run: readonly Played[]) => {
  const played = run[index];
  return isPlayedCall(played) ? { ...played.request.params, ...played.request.body } : undefined;
};

/** Returns the deviations of the service's run, by the index of the exchange. */
export function compareRelations(
  ours: readonly Played[],
  theirs: readonly Played[],
): Map<number, Deviation[]> {
  const first = new Map<string, { place: Place; from: string }>();
  const found = new Map<number, Deviation[]>();
  for (const [index, exchange] of ours.entries()) {
    const other = theirs[index];
    if (!isPlayedCall(exchange) || !isPlayedCall(other)) continue;
    const { operation } = exchange;
    const sent = new Map<string, Place>();
    for (const place of textsIn(requestAt(index)(ours), requestAt(index))) sent.set(place.text, place);
    const broken: Deviation[] = [];
    for (const place of textsIn(exchange.reply.body, bodyAt(index))) {
      const echo = sent.get(place.text);
      const origin = echo ? { place: echo, from: "the request" } : first.get(place.text);
      if (origin && isComparable(exchange, place, origin.place))
        broken.push(...brokenAt(place, origin, theirs, other));
      else if (!origin) first.set(place.text, { place, from: operation.id });
    }
    for (const [text, place] of sent)
      if (!first.has(text)) first.set(text, { place, from: `the request of ${operation.id}` });
    found.set(index, [...broken, ...sumsIn(other.reply.body)]);
  }
  for (const [index, deviation] of ordersIn(ours, theirs)) found.get(index)?.push(deviation);
  return found;
}

/**
 * Returns whether a text can be compared with its origin. The sandbox invents people after the request, so in replies
 * about them only ids and numbers can.
 */
function isComparable({ operation }: PlayedCall, { key, text, inList }: Place, origin: Place): boolean {
  // A record of a list that this run has not made may have the same text as a request by chance.
  if (inList) return isIdentifier(key) && isIdentifier(origin.key) && !origin.inList;
  if (isIdentifier(key)) return true;
  return groupOf(operation) !== "identity" || (key === origin.key && /^\d{6,}$/.test(text));
}

function brokenAt(
  place: Place,
  { place: origin, from }: { place: Place; from: string },
  run: readonly Played[],
  { reply }: PlayedCall,
): Deviation[] {
  const expected = origin.read(run);
  const actual = place.read(run);
  if (typeof expected !== "string" || !isCompared(place.key, expected)) return [];
  if (place.inList) {
    const same = [...textsIn(reply.body, () => undefined)].some(
      ({ at, text }) => at === place.at && text === expected,
    );
    return same ? [] : [{ at: place.at, problem: `does not contain ${origin.at} of ${from}` }];
  }
  if (actual === expected || actual === undefined) return [];
  return [{ at: place.at, problem: `is not ${origin.at} of ${from}` }];
}

const kobo = (value: unknown): number => Math.round(Number(value) * 100);
const isNumber = (value: unknown): value is number => typeof value === "number";

/** Returns where sums that the interface states do not add up. */
export function sumsIn(value: unknown, at = ""): Deviation[] {
  if (Array.isArray(value)) return value.flatMap((item) => sumsIn(item, `${at}[]`));
  if (!isObject(value)) return [];
  const found = Object.entries(value).flatMap(([key, inner]) => sumsIn(inner, join(at, fieldName(key))));
  const { amount, fee, net, you_receive, limit, received, remaining } = value;
  const part = net === undefined ? "you_receive" : "net";
  const rest = net ?? you_receive;
  if (isNumber(amount) && isNumber(fee) && isNumber(rest) && kobo(amount) - kobo(fee) !== kobo(rest))
    found.push({ at: join(at, part), problem: "is not amount less fee" });
  if (isNumber(limit) && isNumber(received) && isNumber(remaining) && received <= limit)
    if (kobo(limit) - kobo(received) !== kobo(remaining))
      found.push({ at: join(at, "remaining"), problem: "is not limit less received" });
  return found;
}

/** Yields the states that a record's machine cannot reach from the record's previous state. */
function* ordersIn(ours: readonly Played[], theirs: readonly Played[]): Generator<[number, Deviation]> {
  const last = new Map<string, string>();
  for (const [index, exchange] of theirs.entries()) {
    const own = ours[index];
    if (!isPlayedCall(exchange) || !isPlayedCall(own)) continue;
    const { body } = exchange.reply;
    if (!isObject(body) || typeof body.id !== "string" || typeof body.status !== "string") continue;
    const before = last.get(body.id);
    const record = isObject(own.reply.body) ? own.reply.body : {};
    if (before !== undefined && before !== body.status && !canBecome(record, before, body.status))
      yield [index, { at: "status", problem: `is ${describe(body.status)} after ${describe(before)}` }];
    // A state that differs from the sandbox's is reported elsewhere. The states that follow from it are not reported.
    if (record.status === body.status) last.set(body.id, body.status);
  }
}

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
function canBecome({ id }: Fields, from: string, to: string): boolean {
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
