/** `standin scenario run`: told step by step, each scenario on an account of its own. */
import { writeFile } from "node:fs/promises";
import { ControlError, NoSandbox } from "../../client/errors.js";
import { SandboxAccount } from "../../library/account.js";
import type { ScenarioResult, StepResult } from "../../library/walk/result.js";
import { sayStep } from "../../library/walk/say.js";
import { scenarioNames } from "../../scenarios/catalogue.js";
import { kindOf, type StepKind } from "../../scenarios/steps.js";
import { unpredictable } from "../../world/time/random.js";
import { colors } from "../colors.js";
import { UsageError } from "../config.js";
import { CommandFailure } from "../control-api.js";
import { type JunitCase, junit } from "../junit.js";
import { baseUrl, write } from "../steering.js";
import { count, oneLine } from "../table.js";
import { readSources, type ScenarioSource } from "./files.js";

interface Flags {
  all?: true;
  url?: string;
  key?: string;
  adminToken?: string;
  json?: true;
  junit?: string;
}

export async function runScenarios(names: readonly string[], flags: Flags): Promise<void> {
  const wanted = flags.all ? [...(await scenarioNames()), ...names] : names;
  if (wanted.length === 0)
    throw new UsageError('name scenarios or files, or give --all; "standin scenario list" lists them');
  const sources = await readSources(wanted);
  const place = await openPlace(flags);
  const results: ScenarioResult[] = [];
  try {
    for (const source of sources) results.push(await runOne(source, place.account(source), flags));
  } finally {
    await place.close();
  }
  if (flags.junit !== undefined) await writeJunit(flags.junit, sources, results);
  write(`${flags.json ? JSON.stringify({ scenarios: results }) : summary(results)}\n`);
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
}

interface Place {
  account(source: ScenarioSource): SandboxAccount;
  close(): Promise<void>;
}

async function openPlace({ url, key, adminToken }: Flags): Promise<Place> {
  const keyFor = ({ scenario }: ScenarioSource) =>
    key ?? `svc_${scenario.account ?? "test"}_${unpredictable(12)}`;
  if (url !== undefined) {
    const token = adminToken ?? process.env.STANDIN_ADMIN_TOKEN ?? null;
    const base = baseUrl(url);
    return {
      account: (source) => new SandboxAccount({ baseUrl: base, key: keyFor(source), adminToken: token }),
      close: async () => {},
    };
  }
  const { startServer } = await import("../../sandbox.js");
  const sandbox = await startServer({});
  return {
    account: (source) => new SandboxAccount({ baseUrl: sandbox.url, key: keyFor(source) }),
    close: () => sandbox.close(),
  };
}

async function runOne(
  { scenario, file, readFixture }: ScenarioSource,
  account: SandboxAccount,
  { json }: Flags,
): Promise<ScenarioResult> {
  const tell = (text: string) => {
    if (!json) write(`${text}\n`);
  };
  tell(`${colors.bold(scenario.name)} ${colors.dim(file)}`);
  try {
    const result = await account.scenario.run(scenario, {
      readFixture,
      onStep: (step) => tell(sayResult(step)),
    });
    tell("");
    return result;
  } catch (error) {
    if (error instanceof ControlError) {
      const result = notLoaded(scenario, error.message);
      for (const step of result.steps) tell(`${sayResult(step)}\n`);
      return result;
    }
    if (error instanceof NoSandbox) throw new UsageError(error.message);
    throw error;
  }
}

/** The other scenarios run all the same. */
const notLoaded = ({ name, steps = [] }: ScenarioSource["scenario"], problem: string): ScenarioResult => ({
  name,
  passed: false,
  steps: [
    {
      step: 0,
      kind: "given",
      title: "the scenario is put on the account",
      passed: false,
      problems: [problem],
      duration_ms: 0,
    },
  ],
  skipped: steps.length,
  duration_ms: 0,
});

function sayResult({ passed, step, title, problems }: StepResult): string {
  const mark = passed ? colors.green("✓") : colors.red("✗");
  const line = `  ${mark} ${step}. ${oneLine(title)}`;
  return [line, ...problems.map((problem) => `      ${oneLine(problem)}`)].join("\n");
}

function summary(results: readonly ScenarioResult[]): string {
  const failed = results.filter(({ passed }) => !passed);
  const steps = results.reduce((sum, { steps: taken }) => sum + taken.length, 0);
  const seconds = results.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1_000;
  const passed = `${results.length - failed.length} of ${count(results.length, "scenario")} passed`;
  return `${passed}, ${count(steps, "step")}, ${seconds.toFixed(1)} s.`;
}

function notReached(source: ScenarioSource | undefined, skipped: number): JunitCase[] {
  const { name = "", scenario } = source ?? {};
  const steps = [...(scenario?.steps ?? []).entries()].slice(-skipped || Number.POSITIVE_INFINITY);
  return steps.map(([index, step]) => ({
    group: name,
    name: `${index + 1}. ${step.say ?? sayStep(step, kindOf(step) as StepKind)}`,
    seconds: 0,
    skipped: "an earlier step did not pass",
  }));
}

async function writeJunit(
  file: string,
  sources: readonly ScenarioSource[],
  results: readonly ScenarioResult[],
): Promise<void> {
  const cases = results.flatMap(({ name, steps, skipped }, index): JunitCase[] =>
    steps
      .map(({ step, title, problems, duration_ms }) => ({
        group: sources[index]?.name ?? name,
        name: `${step}. ${title}`,
        seconds: duration_ms / 1_000,
        ...(problems.length === 0 ? {} : { failure: problems.join("; ") }),
      }))
      .concat(notReached(sources[index], skipped)),
  );
  await writeFile(file, junit("scenarios", cases)).catch((error: Error) => {
    throw new CommandFailure(`the report cannot be written to ${file}: ${error.message}`);
  });
}
