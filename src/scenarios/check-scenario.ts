/** What is wrong with a scenario, each thing with the place where it stands and the nearest right word. */
import * as Type from "typebox";
import { isServiceOperation } from "../contract/operation.js";
import { ruleProblem } from "../rules/check-rule.js";
import type { RuleInput } from "../rules/rule-input.js";
import { isOnClock } from "../world/time/clock.js";
import { fromIso, parseDuration } from "../world/time/time.js";
import { findAction } from "./actions.js";
import {
  fieldProblems,
  missingFields,
  nameProblem,
  type Operations,
  referenceProblems,
} from "./check-actions.js";
import { stepProblems } from "./check-steps.js";
import { cronProblem, loadCron } from "./cron.js";
import { defaultsOf, sectionsMade } from "./given.js";
import { type Fields, Moves, type Section, sections, Word } from "./given-sections.js";
import { type Problem, schemaProblems } from "./problems.js";
import { type Scenario, ScenarioBody } from "./scenario-file.js";
import type { TimelineEntry } from "./timeline.js";

/** Nothing is wrong when the list is empty; then the value is a Scenario. */
export async function scenarioProblems(value: unknown, operations: Operations): Promise<Problem[]> {
  const formal = await schemaProblems(ScenarioBody, value, []);
  if (formal.some(({ at }) => at.length === 0)) return formal;
  // What is of the wrong form is not looked into any further; what stands beside it is.
  const isSound: IsSound = (...place) =>
    !formal.some(({ at }) => place.slice(0, at.length).every((key, depth) => at[depth] === key));
  const soundOf = <T>(part: string, items: readonly T[]) =>
    Array.isArray(items) ? items.map((item: T, index) => (isSound(part, String(index)) ? item : null)) : [];
  const { given = {}, rules = [], timeline = [], steps = [] } = value as Scenario;
  const made = isSound("given") ? sectionsMade(given) : null;
  const isObject = !formal.some(({ at }) => at.length === 1 && at[0] === "given");
  return [
    ...formal,
    ...(isObject ? await givenProblems(given, made, operations, isSound) : []),
    ...soundOf("rules", rules).flatMap((rule, at) => (rule ? ruleProblems(rule, at, made, operations) : [])),
    ...(await timelineProblems(soundOf("timeline", timeline), made, operations)),
    ...(await stepProblems(soundOf("steps", steps), made, operations)),
  ];
}

/** Whether nothing at a place or around it is of the wrong form. */
type IsSound = (...place: string[]) => boolean;

const onClock = (time: string): boolean => isOnClock(fromIso(time) ?? Number.NaN);

async function givenProblems(
  given: NonNullable<Scenario["given"]>,
  made: MadeSections,
  operations: Operations,
  isSound: IsSound,
): Promise<Problem[]> {
  const sound = Object.fromEntries(Object.entries(given).filter(([name]) => isSound("given", name)));
  const { clock, ...others } = sound as typeof given;
  const message = "must be an ISO 8601 time from 1970 to 9000 such as 2026-03-01T09:00:00Z";
  const time = clock !== undefined && !onClock(clock) ? [{ at: ["given", "clock"], message }] : [];
  const found = await Promise.all(
    Object.entries(others).map(([name, value]) => sectionProblems(name, value, made, operations)),
  );
  return [...time, ...found.flat()];
}

/** What stands beside the fields of a section's operation. */
const toOwn = ({ words = {} }: Section) =>
  Type.Partial(
    Type.Object(
      { moves: Moves, ...Object.fromEntries(Object.keys(words).map((word) => [word, Word])) },
      { additionalProperties: true },
    ),
  );

const owns = new Map<Section, ReturnType<typeof toOwn>>();

/** One for each section: a schema is compiled when it is first met, and kept. */
function ownOf(section: Section) {
  const own = owns.get(section) ?? toOwn(section);
  owns.set(section, own);
  return own;
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
  const Own = ownOf(section);
  const names = Object.keys(sections);
  // What comes later is not made yet.
  const before = (made ?? names).filter((one) => names.indexOf(one) <= names.indexOf(name));
  const check = async (fields: Fields, at: readonly string[]) => [
    ...(await schemaProblems(Own, fields, at)),
    ...(await fieldProblems(action, fields, at, Object.keys(Own.properties))),
    ...missingFields(action, { ...defaultsThere(section.operation, before), ...fields }, at),
    ...referenceProblems(fields, at, ["given"], before),
  ];
  if (section.one) return check(value as Fields, ["given", name]);
  const items = (value as Fields[]).map((fields, index) => check(fields, ["given", name, String(index)]));
  return (await Promise.all(items)).flat();
}

type MadeSections = readonly string[] | null;

/** Where it is not known what `given` makes, whatever is named there may be there. */
const givenReferences = (value: unknown, at: readonly string[], made: MadeSections): Problem[] =>
  referenceProblems(value, at, ["given"], made ?? Object.keys(sections));

function ruleProblems(rule: RuleInput, index: number, made: MadeSections, operations: Operations): Problem[] {
  const at = ["rules", String(index)];
  const service = operations.filter(isServiceOperation);
  const problem = ruleProblem(rule, service);
  const references = givenReferences(rule, at, made);
  if (!problem) return references;
  return [{ at: [...at, ...problem.at.split(".")], message: problem.message }, ...references];
}

export async function timelineProblems(
  entries: readonly (TimelineEntry | null)[],
  made: MadeSections,
  operations: Operations,
): Promise<Problem[]> {
  const found = entries.map(async (entry, index) => {
    const at = ["timeline", String(index)];
    if (!entry) return [];
    return [
      ...(await whenProblems(entry, at)),
      ...(await doProblems(entry, at, made, operations)),
      ...givenReferences(entry, at, made),
    ];
  });
  return (await Promise.all(found)).flat();
}

async function whenProblems(entry: TimelineEntry, at: readonly string[]): Promise<Problem[]> {
  const { after, at: instant, cron, times } = entry;
  const problems: Problem[] = [];
  const say = (key: string, message: string) => problems.push({ at: [...at, key], message });
  const whens = [after, instant, cron].filter((when) => when !== undefined);
  if (whens.length !== 1) problems.push({ at, message: "needs exactly one of after, at and cron" });
  if (after !== undefined && parseDuration(after) === null)
    say("after", "must be a duration such as 30s or 24h");
  if (instant !== undefined && !onClock(instant))
    say("at", "must be an ISO 8601 time from 1970 to 9000 such as 2026-03-02T09:00:00Z");
  const why = cron === undefined ? null : cronProblem(await loadCron(), cron);
  if (why) say("cron", why);
  if (times !== undefined && cron === undefined) say("times", "belongs to a cron");
  return problems;
}

/** Some defaults are ids of what `given` has made. */
function defaultsThere(action: string, made: MadeSections): Fields {
  const standIn = { id: "", payment_id: "" };
  const there = Object.fromEntries((made ?? Object.keys(sections)).map((name) => [name, [standIn]]));
  const defaults = Object.entries(defaultsOf(action, there));
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
}

async function doProblems(
  entry: TimelineEntry,
  at: readonly string[],
  made: MadeSections,
  operations: Operations,
): Promise<Problem[]> {
  const wrong = nameProblem(operations, entry.do);
  if (wrong) return [{ at: [...at, "do"], message: wrong }];
  const action = findAction(operations, entry.do) as Operations[number];
  const fields = (entry.with ?? {}) as Fields;
  const inside = [...at, "with"];
  const missing = missingFields(action, { ...defaultsThere(entry.do, made), ...fields }, inside);
  return [...(await fieldProblems(action, fields, inside)), ...missing];
}
