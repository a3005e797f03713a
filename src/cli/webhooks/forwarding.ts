/** Which events `standin listen` forwards, and where to. */
import { InvalidArgumentError } from "commander";
import { parseObject, valueAt } from "../../contract/json.js";
import { formatNearest } from "../../contract/nearest.js";
import { schemasAt } from "../../contract/schema-walk.js";
import { isMistyped } from "../../rules/impossible-condition.js";
import { eventKinds, payloadSchema } from "../../service/webhooks/events.js";
import { isDeliverable } from "../../service/webhooks/webhooks.js";

/** A route: events whose kind matches go to its target, which is a URL or a path at the receiver. */
export interface ForwardingRoute {
  /** Event kind, in which `*` stands for any characters. */
  pattern: string;
  target: string;
}

/** A field of the payload, with dots, and the text of its value. */
export interface Condition {
  path: readonly string[];
  value: string;
}

export interface Forwarding {
  /** URL of the receiver. Null to forward nothing. */
  url: string | null;
  /** Kinds of the events that are forwarded. Null for all. */
  only: readonly string[] | null;
  /** The first matching route decides. Other events go to `url`. */
  routes: readonly ForwardingRoute[];
  /** Conditions that must all hold. */
  where: readonly Condition[];
  /** Whether attempts are shown with their headers and bodies. */
  prints: boolean;
}

const matches = (pattern: string, event: string): boolean =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(event);

/** Parses `payout.*=/payouts`. Adds to the routes of earlier flags. */
export function collectRoutes(text: string, previous: readonly ForwardingRoute[] = []): ForwardingRoute[] {
  const [, pattern = "", target = ""] = /^([^=\s]+)=(\S+)$/.exec(text) ?? [];
  if (!/^[a-z_.*]+$/.test(pattern) || !(target.startsWith("/") || isDeliverable(target)))
    throw new InvalidArgumentError(
      "A route is an event, in which * stands for any characters, and a path or URL, such as payout.*=/payouts.",
    );
  if (!eventKinds.some((event) => matches(pattern, event)))
    throw new InvalidArgumentError(
      `No event matches ${pattern}${formatNearest(pattern, eventKinds)}; there are ${eventKinds.join(", ")}.`,
    );
  return [...previous, { pattern, target }];
}

/** Parses `data.status=failed`. Adds to the conditions of earlier flags. */
export function collectConditions(text: string, previous: readonly Condition[] = []): Condition[] {
  const [, path = "", value = ""] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
  if (path === "")
    throw new InvalidArgumentError(
      "A condition is a field of the payload and its value, such as data.status=failed.",
    );
  const keys = path.split(".");
  checkField(keys);
  return [...previous, { path: keys, value }];
}

/**
 * Throws if no payload has the field, or if its name in `data` is probably a typing error. Other names in `data` are
 * accepted, since an event that is sent by hand may have any.
 */
function checkField(path: readonly string[]): void {
  for (const [depth, name] of path.entries()) {
    const outer = path.slice(0, depth);
    const known = fieldsAt(outer);
    if (known.length === 0 || known.includes(name)) continue;
    if (depth > 0 && !isMistyped(name, known)) return;
    const where = depth === 0 ? "A payload" : outer.join(".");
    const names = depth === 0 ? `; it has ${known.join(", ")}` : "";
    throw new InvalidArgumentError(`${where} has no field ${name}${formatNearest(name, known) || names}.`);
  }
}

/** Returns the names of the fields that payloads have at a path. */
const fieldsAt = (path: readonly string[]): string[] => [
  ...new Set(
    eventKinds
      .flatMap((kind) => schemasAt(payloadSchema(kind), path))
      .flatMap(({ properties = {} }) => Object.keys(properties)),
  ),
];

/** Returns whether a payload fulfils a condition. Numbers are compared as numbers. Objects and lists never match. */
function holds({ path, value }: Condition, payload: unknown): boolean {
  const found = valueAt(payload, path);
  if (typeof found === "number") return value.trim() !== "" && Number(value) === found;
  return found !== undefined && (found === null || typeof found !== "object") && String(found) === value;
}

/** Returns the URL that an event is forwarded to, or null if it is not. */
export function forwardingTarget(
  { url, only, routes, where }: Forwarding,
  event: string,
  body: string,
): string | null {
  if (url === null || !(only?.includes(event) ?? true)) return null;
  if (where.length > 0) {
    const payload = parseObject(body);
    if (!where.every((condition) => holds(condition, payload))) return null;
  }
  const route = routes.find(({ pattern }) => matches(pattern, event));
  return route ? new URL(route.target, url).href : url;
}
