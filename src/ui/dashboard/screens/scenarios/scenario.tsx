/** A scenario: its description, its timeline, and its steps, which run live on a new account. */
import { useSignal } from "@preact/signals";
import { describeStep } from "../../../../client/scenario-run/describe.js";
import { shortSummary, toSnake } from "../../../../contract/operation.js";
import type { Scenario } from "../../../../scenarios/scenario-file.js";
import { call, runStoredScenario } from "../../api/control.js";
import { readContract } from "../../api/operations.js";
import { Action } from "../../pieces/button.js";
import { Json } from "../../pieces/code.js";
import { Icon } from "../../pieces/icons.js";
import { Detail, Loaded, later, Section, Tag, type Tone } from "../../pieces/layout.js";
import { loadScenario } from "../../pieces/load-demo.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere } from "../../state/route.js";

interface StepLine {
  step: number;
  title: string;
  passed: boolean;
  problems: readonly string[];
  duration_ms: number;
}

interface Run {
  account: string | null;
  steps: readonly StepLine[];
  /** Null while it runs. */
  passed: boolean | null;
}

type Line = Partial<StepLine> & { account?: string; error?: string };

export function ScenarioDetail({ name, onLoaded }: { name: string; onLoaded(): Promise<void> }) {
  const read = useResource(() => call("getScenario", { params: { name } }), [name]);
  const run = useSignal<Run | null>(null);
  const start = async () => {
    run.value = { account: null, steps: [], passed: null };
    for await (const line of runStoredScenario(name)) run.value = addLine(run.value, line as Line);
  };
  return (
    <Loaded of={read}>
      {(scenario) => (
        <Detail
          title={scenario.name}
          back={hrefHere()}
          actions={
            <>
              <Action
                run={async () => {
                  await loadScenario(name, `${scenario.name} is loaded.`);
                  await onLoaded();
                }}
                title="Empties the account, except for its endpoints, and loads the scenario"
              >
                Load
              </Action>
              <Action run={start} look="primary" title="Runs the steps on a new account">
                Run
              </Action>
            </>
          }
        >
          <p>{scenario.description}</p>
          <p class="soft">
            Load puts its records, rules and timeline on this account. Run walks through its steps on a new
            one.
          </p>
          <Steps scenario={scenario} run={run.value} />
          {/* Before its first step, the account of a run may not exist yet. */}
          {run.value?.account && run.value.steps.length > 0 && (
            <Section title="Picture">
              <RunPicture account={run.value.account} name={scenario.name} steps={run.value.steps.length} />
            </Section>
          )}
          {scenario.timeline && <Timeline timeline={scenario.timeline} />}
          <Section title="File">
            <Json value={scenario} label="Scenario" />
          </Section>
        </Detail>
      )}
    </Loaded>
  );
}

const RunPicture = later(async () => (await import("../../pieces/story-picture.js")).RunPicture);

function addLine(run: Run | null, { account, error, ...line }: Line): Run {
  const now = run ?? { account: null, steps: [], passed: null };
  if (error !== undefined) throw new Error(error);
  if (account !== undefined) return { ...now, account };
  if (line.step !== undefined) return { ...now, steps: [...now.steps, line as StepLine] };
  return { ...now, passed: line.passed ?? false };
}

const stepTones = { passed: "good", failed: "bad", running: "calm", "": "over" } as const satisfies Record<
  string,
  Tone
>;

function Steps({ scenario: { steps = [] }, run }: { scenario: Scenario; run: Run | null }) {
  return (
    <Section title="Steps">
      {run && (
        <p role="status">
          <Tag tone={run.passed === null ? "calm" : run.passed ? "good" : "bad"}>
            {run.passed === null
              ? `step ${run.steps.length + 1} of ${steps.length}`
              : run.passed
                ? "passed"
                : "failed"}
          </Tag>{" "}
          {run.account && <a href={`#/activity?account=${run.account}`}>See its account</a>}
        </p>
      )}
      <ol class="steps">
        {steps.map((step, index) => {
          const done = run?.steps[index];
          const state = done
            ? done.passed
              ? "passed"
              : "failed"
            : run && run.passed === null && index === run.steps.length
              ? "running"
              : "";
          return (
            <li key={index} class={state}>
              <span class={`tag ${stepTones[state]}`} aria-hidden="true">
                {done ? <Icon name={done.passed ? "check" : "close"} /> : index + 1}
              </span>
              <span class="grow">
                {done?.title ?? step.say ?? describeStep(step)}
                {state && <span class="visually-hidden">{`: ${state}`}</span>}
              </span>
              {done && <span class="soft">{done.duration_ms} ms</span>}
              {done?.problems.map((problem) => (
                <p key={problem} class="problem">
                  {problem}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** Reads the summaries of the actions of timelines, by either spelling of their names. */
const readSummaries = async (): Promise<ReadonlyMap<string, string>> => {
  const contracts = await Promise.all([readContract("service"), readContract("control")]);
  const all = contracts.flatMap(({ items }) => items);
  return new Map(
    all.flatMap(({ id, summary }) => [id, toSnake(id)].map((name) => [name, shortSummary(summary)])),
  );
};

function Timeline({ timeline }: { timeline: NonNullable<Scenario["timeline"]> }) {
  const summaries = useResource(readSummaries).data.value;
  return (
    <Section title="Timeline">
      <ol class="history">
        {timeline.map((entry, index) => (
          <li key={index}>
            <code>{entry.after ?? entry.at ?? entry.cron}</code>
            <span class="grow">{summaries?.get(entry.do) ?? ""}</span>
          </li>
        ))}
      </ol>
      <p class="soft">
        Advance the clock to see it sooner. What it did is in the <a href={href(["activity"])}>activity</a>.
      </p>
    </Section>
  );
}
