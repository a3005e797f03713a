/** Checks scenarios beyond their schema. */
import * as Type from "typebox";
import { controlPrefix, describeRemovedRoute, isControlPath } from "../contract/control-routes.js";
import { formatNearest } from "../contract/nearest.js";
import { type Extent, isServiceOperation, pathOf } from "../contract/operation.js";
import { ruleProblem } from "../rules/check-rule.js";
import { placeholderProblem } from "../rules/patterns.js";
import type { RuleBody } from "../rules/rule-input.js";
import { eventKinds, events } from "../service/webhooks/events.js";
import { isOnClock } from "../time/clock.js";
import { fromIso, parseDuration } from "../time/time.js";
import { findAction } from "./actions.js";
import {
  defaultsGiven,
  fieldProblems,
  isClockTime,
  type MadeSections,
  missingFields,
  type Operations,
  referenceProblems,
  timelineProblems,
} from "./check-timeline.js";
import { givenScope, sectionsMade } from "./given.js";
import { type Fields, GivenMoves, type GivenSection, sections, Word } from "./given-sections.js";
import { formProblems, maxProblems, type Problem, problemsOfEach, schemaProblems } from "./problems.js";
import { type Scenario, ScenarioBody } from "./scenario-file.js";
import { type Step, stepKeysBeside, stepKindOf, stepKinds } from "./steps.js";

/** Returns the first problems of a value, which is a Scenario if there are none. `extent` limits the problems with its form. */
export async function scenarioProblems(
  value: unknown,
  operations: Operations,
  extent: Extent = "all",
): Promise<Problem[]> {
  const { problems: formal, areAll } = await formProblems(ScenarioBody, value, [], extent);
  if (!areAll || formal.some(({ at }) => at.length === 0)) return formal;
  // Parts that do not fit the schema are not checked any further.
  const isValid: IsValid = (...place) =>
    !formal.some(({ at }) => place.slice(0, at.length).every((key, depth) => at[depth] === key));
  const validOf = <T>(part: string, items: readonly T[]) =>
    Array.isArray(items) ? items.map((item: T, index) => (isValid(part, String(index)) ? item : null)) : [];
  const { given = {}, rules = [], timeline = [], steps = [] } = value as Scenario;
  const made = isValid("given") ? sectionsMade(given) : null;
  const isObject = !formal.some(({ at }) => at.length === 1 && at[0] === "given");
  const problems = [
    ...formal,
    ...(isObject ? await givenProblems(given, made, operations, isValid) : []),
    ...(await problemsOfEach(validOf("rules", rules), (rule, at) =>
      ruleProblems(rule, at, made, operations),
    )),
    ...(await timelineProblems(validOf("timeline", timeline), made, operations)),
    ...(await stepProblems(validOf("steps", steps), made, operations)),
  ];
  return problems.slice(0, maxProblems);
}

/** Returns whether the schema finds no problem at a place or around it. */
type IsValid = (...place: string[]) => boolean;

async function givenProblems(
  given: NonNullable<Scenario["given"]>,
  made: MadeSections,
  operations: Operations,
  isValid: IsValid,
): Promise<Problem[]> {
  const valid = Object.fromEntries(Object.entries(given).filter(([name]) => isValid("given", name)));
  const { clock, ...others } = valid as typeof given;
  const message = "must be an ISO 8601 time from 1970 to 9000 such as 2026-03-01T09:00:00Z";
  const time = clock !== undefined && !isClockTime(clock) ? [{ at: ["given", "clock"], message }] : [];
  const found = await Promise.all(
    Object.entries(others).map(([name, value]) => sectionProblems(name, value, made, operations)),
  );
  return [...time, ...found.flat()];
}

/** Returns the schema of the keys that a section allows beside the fields of its operation. */
const extraKeysSchema = ({ words = {} }: GivenSection) =>
  Type.Partial(
    Type.Object(
      { moves: GivenMoves, ...Object.fromEntries(Object.keys(words).map((word) => [word, Word])) },
      { additionalProperties: true },
    ),
  );

const extraKeysSchemas = new Map<GivenSection, ReturnType<typeof extraKeysSchema>>();

/** Returns one schema per section, because compiled validators are cached by schema. */
function extraKeysOf(section: GivenSection) {
  const schema = extraKeysSchemas.get(section) ?? extraKeysSchema(section);
  extraKeysSchemas.set(section, schema);
  return schema;
}

async function sectionProblems(
  name: string,
  value: unknown,
  made: MadeSections,
  operations: Operations,
): Promise<Problem[]> {
  const section = sections[name];
  const action = section && findAction(operations, section.operation);
  if (!section || !action) return [];
  const extraKeys = extraKeysOf(section);
  const names = Object.keys(sections);
  // Later sections have not been made yet.
  const before = (made ?? names).filter((candidate) => names.indexOf(candidate) <= names.indexOf(name));
  const defaults = defaultsGiven(section.operation, before);
  const extra = Object.keys(extraKeys.properties);
  const check = async (fields: Fields, at: readonly string[]) => [
    ...(await schemaProblems(extraKeys, fields, at)),
    ...(await fieldProblems(action, fields, at, extra)),
    ...missingFields(action, { ...defaults, ...fields }, at),
    ...referenceProblems(fields, at, givenScope, before),
  ];
  if (section.isSingle) return check(value as Fields, ["given", name]);
  return problemsOfEach(value as Fields[], (fields, index) => check(fields, ["given", name, String(index)]));
}

function ruleProblems(rule: RuleBody, index: number, made: MadeSections, operations: Operations): Problem[] {
  const at = ["rules", String(index)];
  const problem = ruleProblem(rule, { operations: operations.filter(isServiceOperation), events });
  const references = referenceProblems(rule, at, ["given"], made);
  if (!problem) return references;
  return [{ at: [...at, ...problem.at.split(".")], message: problem.message }, ...references];
}

/** Names that every step may use. */
const builtInNames = ["given", "key", "url", "now"];

/** Returns the problems of the steps. Skips null steps, which do not fit the schema. */
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
  const [first] = keys.filter((key) => !stepKeysBeside.includes(key));
  if (first === undefined && keys.length > 0)
    return `does nothing: in addition to ${keys.join(" and ")}, it needs one of ${kinds.join(", ")}`;
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
  if ("call" in step) addProblem("expect.status", statusProblem(step.expect?.status));
  const invalid = placeholderProblem("expect" in step ? step.expect : undefined);
  if (invalid) addProblem(`expect.${invalid.at}`, invalid.reason);
  return problems;
}

function advanceProblem(advance: string): string | null {
  const isKnown = advance === "next" || advance.includes("${") || parseDuration(advance) !== null;
  if (isKnown || isOnClock(fromIso(advance) ?? Number.NaN)) return null;
  return "must be a duration such as 24h, next, or an ISO 8601 time";
}

/** Returns why no reply can have an expected status: a plain text never equals a number. */
function statusProblem(status: string | number | undefined): string | null {
  if (typeof status !== "string" || /^(?:!?\/.+\/\w*|<.*>)$/s.test(status) || status.includes("${"))
    return null;
  return `must be a number such as 200, or a pattern such as /2\\d\\d/; got ${JSON.stringify(status)}`;
}

const eventProblem = (event: string): string | null =>
  (eventKinds as readonly string[]).includes(event) || event.includes("${")
    ? null
    : `there is no such event${formatNearest(event, eventKinds)}`;

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

/** Returns what is wrong with a route, or null. A part with `${…}` matches any part of a route. */
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
