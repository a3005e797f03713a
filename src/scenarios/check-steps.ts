/** Checks the steps of a scenario. */
import { controlPrefix, describeRemovedRoute, isControlPath } from "../contract/control-routes.js";
import { formatNearest } from "../contract/nearest.js";
import { isServiceOperation, pathOf } from "../contract/operation.js";
import { InvalidPattern } from "../rules/linear-pattern.js";
import { compile } from "../rules/patterns.js";
import { eventKinds } from "../service/webhooks/events.js";
import { isOnClock } from "../time/clock.js";
import { fromIso, parseDuration } from "../time/time.js";
import { type MadeSections, type Operations, referenceProblems } from "./check-actions.js";
import { type Problem, problemsOfEach, schemaProblems } from "./problems.js";
import { type Step, stepKindOf, stepKinds } from "./steps.js";

/** Names that every step may use. */
const builtInNames = ["given", "key", "url", "now"];

/** Returns the problems of the steps. Null steps, which do not fit the schema, are skipped. */
export async function stepProblems(
  steps: readonly (object | null)[],
  made: MadeSections,
  operations: Operations,
): Promise<Problem[]> {
  const names = [...builtInNames];
  return problemsOfEach(steps, async (step, index) => {
    const problems: Problem[] = [];
    const at = ["steps", String(index)];
    const kind = stepKindOf(step);
    if (kind) {
      const formal = await schemaProblems(stepKinds[kind], step, at);
      problems.push(...(formal.length > 0 ? formal : nameProblems(step as Step, at, operations)));
    } else problems.push({ at, message: describeUnknownStep(step) });
    problems.push(...referenceProblems(step, at, names, made));
    const { as } = step as { as?: unknown };
    if (typeof as !== "string") return problems;
    if (builtInNames.includes(as)) problems.push({ at: [...at, "as"], message: `${as} is a built-in name` });
    names.push(as);
    return problems;
  });
}

function describeUnknownStep(step: object): string {
  const kinds = Object.keys(stepKinds);
  const keys = Object.keys(step);
  if (keys.filter((key) => kinds.includes(key)).length > 1)
    return `has the keys of several steps; a step is one of ${kinds.join(", ")}`;
  const [first] = keys;
  const nearest = first === undefined ? "" : formatNearest(first, kinds);
  return `is none of ${kinds.join(", ")}${nearest}`;
}

function nameProblems(step: Step, at: readonly string[], operations: Operations): Problem[] {
  const problems: Problem[] = [];
  const addProblem = (key: string, message: string | null) =>
    message && problems.push({ at: [...at, ...key.split(".")], message });
  if ("call" in step) addProblem("call", routeProblem("the service", step.call, serviceRoutes(operations)));
  if ("control" in step)
    addProblem(
      "control",
      removedProblem(step.control) ?? routeProblem("the control API", step.control, stepRoutes(operations)),
    );
  if ("advance" in step) addProblem("advance", advanceProblem(step.advance));
  if ("webhook" in step) addProblem("webhook", eventProblem(step.webhook));
  if ("receive" in step)
    for (const [index, event] of (step.receive.events ?? []).entries())
      if (event !== "*") addProblem(`receive.events.${index}`, eventProblem(event));
  if ("expect" in step && step.expect)
    checkPatterns(step.expect, (key, why) => addProblem(`expect.${key}`, why));
  return problems;
}

function advanceProblem(advance: string): string | null {
  const isKnown = advance === "next" || advance.includes("${") || parseDuration(advance) !== null;
  if (isKnown || isOnClock(fromIso(advance) ?? Number.NaN)) return null;
  return "must be a duration such as 24h, next, or an ISO 8601 time";
}

const eventProblem = (event: string): string | null =>
  (eventKinds as readonly string[]).includes(event) || event.includes("${")
    ? null
    : `there is no such event${formatNearest(event, eventKinds)}`;

function checkPatterns(expected: object, addProblem: (at: string, why: string) => void): void {
  try {
    compile(expected, (at, why) => {
      addProblem(at, why);
      throw new InvalidPattern();
    });
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
  }
}

export const serviceRoutes = (operations: Operations): string[] =>
  operations.filter(isServiceOperation).map(({ route }) => route);

/** Returns the routes of the control API as steps write them, without its prefix. */
export const stepRoutes = (operations: Operations): string[] =>
  operations
    .filter(({ route }) => isControlPath(pathOf({ route })))
    .map(({ route }) => route.replace(controlPrefix, ""));

/** Returns what to use in place of an operation of the control API that was removed. */
function removedProblem(call: string): string | null {
  const [method = "", path = ""] = call.split(/[ ?]/);
  return describeRemovedRoute(method, controlPrefix + path);
}

/** A part with `${…}` matches any part of a route. */
function routeProblem(owner: string, call: string, routes: readonly string[]): string | null {
  const [asked = ""] = call.split("?");
  const given = asked.split("/");
  const fits = (route: string) => {
    const parts = route.split("/");
    const isOf = (part: string, index: number) =>
      (part.startsWith("{") && given[index] !== "") || part === given[index] || given[index]?.includes("${");
    return parts.length === given.length && parts.every(isOf);
  };
  if (routes.some(fits)) return null;
  return `${owner} has no ${asked}${formatNearest(asked, routes)}`;
}
