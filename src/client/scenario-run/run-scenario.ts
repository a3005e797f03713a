/** Runs a scenario step by step, on a given account or on a new one. */
import { valueAt } from "../../contract/json.js";
import { differences } from "../../rules/matching.js";
import { compile, placeholderProblem } from "../../rules/patterns.js";
import { resolveReferences, UnresolvedReference } from "../../scenarios/references.js";
import type { Scenario } from "../../scenarios/scenario-file.js";
import { type Step, type StepKind, stepKindOf } from "../../scenarios/steps.js";
import { stopwatch } from "../../time/time.js";
import { AccountClient } from "../account/account-client.js";
import { type ClientOptions, ControlError, errorIn } from "../client.js";
import { describeStep } from "./describe.js";
import { type StepContext, StepFailure, stepRunners } from "./steps.js";

const readBundledFixture = async (name: string): Promise<Uint8Array> =>
  (await import("../../scenarios/bundled-scenarios.js")).readFixture(name);

/** Loads the scenario, which empties the account, and runs its steps. Rejects if it cannot be loaded. */
export async function runScenario(
  connection: ClientOptions,
  scenario: Scenario,
  { readFixture = readBundledFixture, onStep = () => {} }: ScenarioRunOptions = {},
): Promise<ScenarioResult> {
  const elapsed = stopwatch();
  const account = new AccountClient(connection);
  const { given } = await account.call("playScenario", { body: scenario });
  const context: StepContext = {
    account,
    connection,
    readFixture,
    scope: { given, key: account.key, url: account.baseUrl },
    // Steps do not wait for events of the set-up.
    seen: new Set((await account.events.list()).map(({ id }) => id)),
    claimed: new Set(),
    receivers: [],
  };
  const { steps = [] } = scenario;
  const results: StepResult[] = [];
  try {
    for (const [index, step] of steps.entries()) {
      const result = await runStep(context, step, index);
      results.push(result);
      onStep(result);
      if (!result.passed) break;
    }
  } finally {
    for (const receiver of context.receivers) await receiver.close();
  }
  return {
    name: scenario.name,
    // A scenario without steps has shown nothing.
    passed: results.length > 0 && results.every(({ passed }) => passed),
    steps: results,
    skipped: steps.length - results.length,
    duration_ms: Math.round(elapsed()),
  };
}

async function runStep(context: StepContext, step: Step, index: number): Promise<StepResult> {
  const elapsed = stopwatch();
  const kind = stepKindOf(step) as StepKind;
  let problems: string[];
  try {
    problems = await problemsOf(context, step, kind);
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
    title: step.say ?? describeStep(step),
    passed,
    problems,
    duration_ms: Math.round(elapsed()),
  };
}

async function problemsOf(context: StepContext, step: Step, kind: StepKind): Promise<string[]> {
  if (JSON.stringify(step).includes("${now")) context.scope.now = (await context.account.clock.get()).now;
  const { expect: _expected, ...asked } = step as Step & { expect?: unknown };
  const filled = resolveReferences(asked, context.scope) as Step;
  const compareActual = (actual: unknown) =>
    compare(actual, resolveReferences(expectationOf(step, kind), context.scope));
  const { actual, captured, problems } = await stepRunners[kind](context, filled as never, compareActual);
  if (step.as !== undefined) context.scope[step.as] = captured ?? actual;
  return problems ?? compareActual(actual);
}

/** Returns the expectation of a step. By default a call has to succeed. */
function expectationOf(step: Step, kind: StepKind): object {
  const { expect = {} } = step as { expect?: { status?: unknown; failure?: unknown } };
  const needsStatus = kind === "call" && expect.status === undefined && expect.failure === undefined;
  return needsStatus ? { ...expect, status: "/2\\d\\d/" } : expect;
}

const maxProblems = 10;

function compare(actual: unknown, expected: unknown): string[] {
  const invalid = placeholderProblem(expected);
  if (invalid) throw new StepFailure(`expect.${invalid.message}`);
  const compiled = compile(expected);
  const problems: string[] = [];
  for (const { at, expected: wanted } of differences(actual, compiled)) {
    if (problems.length === maxProblems) break;
    const found = valueAt(actual, at);
    const is = found === undefined ? "is not there" : `is ${formatShort(found)}`;
    const reason = at.join(".") === "status" ? describeRefusal(actual) : "";
    problems.push(`${at.join(".") || "the result"} should be ${formatShort(wanted)} and ${is}${reason}`);
  }
  return problems;
}

/** Formats the error of a reply to append to a problem. Empty if the reply is not an error. */
function describeRefusal(actual: unknown): string {
  const error = errorIn(valueAt(actual, ["body"]));
  return error ? `; the service says ${error.code}: ${error.message}` : "";
}

const formatShort = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 297)}...` : text;
};

/**
 * Reports `{account}`, each step as it ends, and the result without its steps. Rejects if the scenario cannot be
 * loaded.
 */
export async function runOnNewAccount(
  connection: ClientOptions,
  accountId: string,
  scenario: Scenario,
  report: (line: object) => void,
): Promise<void> {
  report({ account: accountId });
  const { steps: _steps, ...result } = await runScenario(connection, scenario, { onStep: report });
  report(result);
}

/** Result of one step. */
export interface StepResult {
  /** Number of the step, from 1. */
  step: number;
  /** Kind of the step, such as `call` or `advance`. */
  kind: string;
  /** Title of the step, or a description of what it does. */
  title: string;
  passed: boolean;
  /** Differences between what was expected and what was received. Empty if the step passed. */
  problems: string[];
  /** Wall-clock time in ms. */
  duration_ms: number;
}

/** Result of a scenario. The run ends with the first step that fails. */
export interface ScenarioResult {
  /** Title of the scenario. */
  name: string;
  /** Whether every step passed. False for a scenario without steps. */
  passed: boolean;
  steps: StepResult[];
  /** Number of steps that were not reached. */
  skipped: number;
  /** Wall-clock time in ms. */
  duration_ms: number;
}

export interface ScenarioRunOptions {
  /** Returns the bytes of a step's `fixture`, or rejects if there is none. Default: the bundled fixtures. */
  readFixture?: (name: string) => Promise<Uint8Array>;
  /** Called after each step. */
  onStep?: (result: StepResult) => void;
}
