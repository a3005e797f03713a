/** Walks through a scenario as its reader would: over HTTP, against one account of a running sandbox. */

import { ControlError } from "../../client/errors.js";
import { differences, valueAt } from "../../rules/matching.js";
import { compile } from "../../rules/patterns.js";
import { resolveReferences, UnresolvedReference } from "../../scenarios/references.js";
import type { Scenario } from "../../scenarios/scenario-file.js";
import { type Step, type StepKind, stepKindOf } from "../../scenarios/steps.js";
import { stopwatch } from "../../world/time/time.js";
import type { SandboxAccount } from "../account.js";
import type { ScenarioState } from "../types.js";
import { acts, type Walk } from "./acts.js";
import { StepFailure } from "./failure.js";
import { closeReceivers } from "./receiver.js";
import type { ScenarioResult, StepResult, WalkOptions } from "./result.js";
import { sayStep } from "./say.js";

const ownFixtures = async (name: string): Promise<Uint8Array> =>
  (await import("../../scenarios/bundled-scenarios.js")).readFixture(name);

/** Puts the scenario on the account (which empties it) and takes its steps. Rejects where it cannot be put there. */
export async function walkThrough(
  account: SandboxAccount,
  scenario: Scenario,
  { readFixture = ownFixtures, onStep = () => {} }: WalkOptions = {},
): Promise<ScenarioResult> {
  const elapsed = stopwatch();
  const { given } = await account.control<ScenarioState>("POST", "/scenarios", scenario);
  const walk: Walk = {
    account,
    readFixture,
    scope: { given, key: account.key, url: account.baseUrl },
    // What happened while the state was made is no news to the walk-through.
    seen: new Set((await account.events.list()).map(({ id }) => id)),
    receivers: [],
  };
  const { steps = [] } = scenario;
  const results: StepResult[] = [];
  try {
    for (const [index, step] of steps.entries()) {
      const result = await take(walk, step, index);
      results.push(result);
      onStep(result);
      if (!result.passed) break;
    }
  } finally {
    await closeReceivers(account, walk.receivers);
  }
  return {
    name: scenario.name,
    passed: results.every(({ passed }) => passed),
    steps: results,
    skipped: steps.length - results.length,
    duration_ms: Math.round(elapsed()),
  };
}

async function take(walk: Walk, step: Step, index: number): Promise<StepResult> {
  const elapsed = stopwatch();
  const kind = stepKindOf(step) as StepKind;
  let problems: string[];
  try {
    problems = await attempt(walk, step, kind);
  } catch (error) {
    if (
      !(error instanceof ControlError || error instanceof UnresolvedReference || error instanceof StepFailure)
    )
      throw error;
    problems = [error.message];
  }
  const passed = problems.length === 0;
  return {
    step: index + 1,
    kind,
    title: step.say ?? sayStep(step, kind),
    passed,
    problems,
    duration_ms: Math.round(elapsed()),
  };
}

async function attempt(walk: Walk, step: Step, kind: StepKind): Promise<string[]> {
  if (JSON.stringify(step).includes("${now")) walk.scope.now = (await walk.account.clock.get()).now;
  const { expect: _expected, ...asked } = step as Step & { expect?: unknown };
  const filled = resolveReferences(asked, walk.scope) as Step;
  const judge = (actual: unknown) =>
    compare(actual, resolveReferences(expectationOf(step, kind), walk.scope));
  const { actual, captured, problems } = await acts[kind](walk, filled as never, judge);
  if (step.as !== undefined) walk.scope[step.as] = captured ?? actual;
  return problems ?? judge(actual);
}

/** A call of which nothing else is expected succeeds. */
function expectationOf(step: Step, kind: StepKind): object {
  const { expect = {} } = step as { expect?: { status?: unknown; failure?: unknown } };
  const needsStatus = kind === "call" && expect.status === undefined && expect.failure === undefined;
  return needsStatus ? { ...expect, status: "/2\\d\\d/" } : expect;
}

const mostTold = 10;

function compare(actual: unknown, expected: unknown): string[] {
  const compiled = compile(expected, (at, reason) => {
    throw new StepFailure(`expect.${at}: ${reason}`);
  });
  const told: string[] = [];
  for (const { at, expected: wanted } of differences(actual, compiled)) {
    if (told.length === mostTold) break;
    const found = valueAt(actual, at);
    const is = found === undefined ? "is not there" : `is ${short(found)}`;
    told.push(`${at.join(".") || "what came"} should be ${short(wanted)} and ${is}`);
  }
  return told;
}

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 297)}...` : text;
};
