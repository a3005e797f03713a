/** Checks scenarios beyond their schema. */

import * as Type from "typebox";
import type { Extent } from "../contract/operation.js";
import { isServiceOperation } from "../contract/operation.js";
import { ruleProblem } from "../rules/check-rule.js";
import type { RuleBody } from "../rules/rule-input.js";
import { events } from "../service/webhooks/events.js";
import { findAction } from "./actions.js";
import {
  defaultsGiven,
  fieldProblems,
  type MadeSections,
  missingFields,
  type Operations,
  referenceProblems,
} from "./check-actions.js";
import { stepProblems } from "./check-steps.js";
import { isClockTime, timelineProblems } from "./check-timeline.js";
import { givenScope, sectionsMade } from "./given.js";
import { type Fields, GivenMoves, type GivenSection, sections, Word } from "./given-sections.js";
import { formProblems, maxProblems, type Problem, problemsOfEach, schemaProblems } from "./problems.js";
import { type Scenario, ScenarioBody } from "./scenario-file.js";

/** Returns the first problems of a value; of a form that is wrong, `extent` says how many. One without problems is a Scenario. */
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
  const before = (made ?? names).filter((one) => names.indexOf(one) <= names.indexOf(name));
  const defaults = defaultsGiven(section.operation, before);
  const extra = Object.keys(extraKeys.properties);
  const check = async (fields: Fields, at: readonly string[]) => [
    ...(await schemaProblems(extraKeys, fields, at)),
    ...(await fieldProblems(action, fields, at, extra)),
    ...missingFields(action, { ...defaults, ...fields }, at),
    ...referenceProblems(fields, at, givenScope, before),
  ];
  if (section.one) return check(value as Fields, ["given", name]);
  return problemsOfEach(value as Fields[], (fields, index) => check(fields, ["given", name, String(index)]));
}

function ruleProblems(rule: RuleBody, index: number, made: MadeSections, operations: Operations): Problem[] {
  const at = ["rules", String(index)];
  const problem = ruleProblem(rule, { operations: operations.filter(isServiceOperation), events });
  const references = referenceProblems(rule, at, ["given"], made);
  if (!problem) return references;
  return [{ at: [...at, ...problem.at.split(".")], message: problem.message }, ...references];
}
