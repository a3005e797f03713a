/** Records what happened to an account as a scenario that passes on a fresh one. */
import { controlRoutes } from "../../contract/control-routes.js";
import type { AnyOperation } from "../../contract/operation.js";
import { fromIso, toIso } from "../../time/time.js";
import { inTurns, Turns } from "../../time/turns.js";
import type { Account } from "../../world/account/account.js";
import type { Activity } from "../../world/activity/activity.js";
import type { Scenario } from "../scenario-file.js";
import { formatLeftOut, isDrawn, type RecordedFile, Recorder, tidySteps } from "./recorder.js";
import { ReplayClock } from "./replay-clock.js";
import { Secrets } from "./secrets.js";
import { hasSucceeded, inOrder, isCall, type RecordedCall, readCall, rootOf } from "./session-log.js";
import {
  endOf,
  GivenCalls,
  noteMessage,
  readDeliveries,
  recordAnswers,
  recordControl,
  recordEvent,
  recordMessage,
  recordRequest,
} from "./steps.js";

export interface RecordedSession {
  scenario: Scenario;
  /** Uploads, which belong beside the scenario. */
  files: RecordedFile[];
  /** Parts that the scenario omits, with the reason. */
  left_out: string[];
}

/** Thrown when the recording cannot begin where it should. */
export class NotRecordable extends Error {
  constructor(
    readonly code: "resource_not_found" | "invalid_state",
    message: string,
  ) {
    super(message);
  }
}

export interface RecordOptions {
  operations: readonly AnyOperation[];
  /** Id of the activity to begin with, or of its subject. Earlier calls only set up the state. Default: the first activity. */
  since?: string | undefined;
  /** Whether uploads are in the steps, as base64. Default: they are files beside the scenario. */
  inline?: boolean;
  /** Reads a scenario that was loaded by its name. */
  readScenario(name: string): Promise<Scenario>;
}

const loads = new Set(["loadScenario", "playScenario"]);

export async function recordSession(account: Account, options: RecordOptions): Promise<RecordedSession> {
  const { operations, since, inline = false } = options;
  const { log } = account.activities;
  const first = since === undefined ? null : log.find(since);
  if (first === undefined)
    throw new NotRecordable(
      "resource_not_found",
      `There is no activity about ${JSON.stringify(since?.slice(0, 100))}; ${controlRoutes.listActivity} lists those that are kept.`,
    );
  if (log.whyIncomplete !== null)
    throw new NotRecordable(
      "invalid_state",
      `The beginning of what led to this state is not known, because ${log.whyIncomplete}, so a run could not repeat it. Reset the account, repeat what you want to record, and record it.`,
    );
  const activities = inOrder(log);
  const base = await baseOf(activities, options);
  const recorder = new Recorder(operations, new Secrets(), inline);
  const start = startOf(activities, base, operations);
  const clock = new ReplayClock(start, (advance) => recorder.add({ advance }));
  const drawn = base?.scenario.rules?.filter(isDrawn) ?? [];
  recorder.drawnRules.addOfScenario(drawn);
  for (const rule of drawn) recorder.leftOut.add(formatLeftOut(rule));
  const before = base ? null : new GivenCalls(recorder);
  const folded = new Set<Activity>();
  const from = first ? rootOf(first) : null;
  recorder.isSetup = from !== null;
  await inTurns(readDeliveries(recorder, account));
  const turns = new Turns();
  for (const [index, activity] of activities.entries()) {
    await turns.step();
    if (activity === from) recorder.isSetup = false;
    if (base && isPartOf(activity, new Set([base.root]))) {
      if (activity.kind === "message") noteMessage(recorder, account, activity);
      continue;
    }
    // A run begins after the effects of `given`.
    if (isPartOf(activity, folded)) continue;
    if (before && isCall(activity) && isGiven(before, clock, activity, operations)) {
      folded.add(activity);
      continue;
    }
    record(recorder, clock, account, activity, () => activities.slice(index + 1));
  }
  recordAnswers(recorder);
  const { given, timeline } = base?.scenario ?? ({} as Partial<Scenario>);
  const rules = base?.scenario.rules?.filter((rule) => !isDrawn(rule));
  const scenario: Scenario = {
    name: `Recorded on ${toIso(start).slice(0, 16).replace("T", " at ")}`,
    ...(account.live ? { account: "live" as const } : {}),
    given: { clock: toIso(start), ...given, ...before?.given },
    ...(rules && rules.length > 0 ? { rules } : {}),
    ...(timeline ? { timeline } : {}),
    steps: await inTurns(tidySteps(recorder.steps)),
  };
  return { scenario, files: recorder.files.list(), left_out: [...recorder.leftOut] };
}

interface Base {
  root: Activity;
  scenario: Scenario;
}

/** Returns the scenario from which the account began, if it was loaded last. Loading empties the log. */
async function baseOf(
  activities: readonly Activity[],
  { operations, readScenario }: RecordOptions,
): Promise<Base | null> {
  const root = activities.find(isCall);
  const recorded = root && readCall(root, operations);
  if (!root || !recorded || !loads.has(recorded.operation.id) || !hasSucceeded(recorded)) return null;
  if (/keep=true/.test(recorded.search)) return null;
  const { params, body } = recorded;
  if (recorded.operation.id === "loadScenario")
    return { root, scenario: await readScenario(params.name as string) };
  return body ? { root, scenario: body as unknown as Scenario } : null;
}

/** Returns whether an activity is one of these calls or a direct effect. The effects of jobs that they scheduled are not. */
function isPartOf(activity: Activity, calls: ReadonlySet<Activity>): boolean {
  for (let at: Activity["cause"] = activity; at !== null && typeof at !== "string"; at = at.cause) {
    if (calls.has(at)) return true;
    if (at.kind === "job" || at.kind === "attempt") return false;
  }
  return false;
}

/** Returns the time at which the clock of a run starts: the time of the first call, or the time to which it froze the clock. */
function startOf(
  activities: readonly Activity[],
  base: Base | null,
  operations: readonly AnyOperation[],
): number {
  const clock = base?.scenario.given?.clock;
  if (clock !== undefined) return fromIso(clock) as number;
  const [first] = activities;
  const at = first?.at ?? 0;
  const frozen = first && isCall(first) ? readCall(first, operations) : null;
  return Math.min(at, (frozen?.operation.id === "freezeClock" && endOf(frozen)) || at);
}

/** Adds a call from before the recording to `given`. Returns false if the call has to be a step. */
function isGiven(
  before: GivenCalls,
  clock: ReplayClock,
  activity: Activity,
  operations: readonly AnyOperation[],
): boolean {
  const recorded = before.recorder.isSetup ? readCall(activity, operations) : null;
  if (!recorded) return false;
  clock.called(activity.at);
  return before.add(recorded);
}

function record(
  recorder: Recorder,
  clock: ReplayClock,
  account: Account,
  activity: Activity,
  later: () => readonly Activity[],
): void {
  const { kind, at } = activity;
  if (kind === "job" || kind === "attempt") clock.ran(at);
  if (kind === "message") recordMessage(recorder, account, activity);
  if (kind === "event") recordEvent(recorder, account, activity);
  if (!isCall(activity)) return;
  const recorded = readCall(activity, recorder.operations);
  if (!recorded) return;
  clock.called(at);
  // The timeline of a scenario has times of the day beside those that count from its loading.
  if (loads.has(recorded.operation.id)) clock.changed(at);
  recorder.isAdvancing = recorded.operation.id === "advanceClock";
  if (recordClock(clock, recorded, later)) return;
  if (kind === "request") recordRequest(recorder, recorded);
  else recordControl(recorder, recorded);
}

/** Records a call that moves the clock. Returns whether it was one. */
function recordClock(clock: ReplayClock, recorded: RecordedCall, later: () => readonly Activity[]): boolean {
  const { operation, body, activity } = recorded;
  const to = endOf(recorded);
  if (operation.id === "resumeClock") return true;
  if (operation.id === "freezeClock") {
    if (hasSucceeded(recorded) && to !== null) clock.frozenAt(to);
    return true;
  }
  if (operation.id !== "advanceClock") return false;
  if (!hasSucceeded(recorded) || to === null) return true;
  const jobs = later().filter(
    ({ kind, at }) => (kind === "job" || kind === "attempt") && at > activity.at && at <= to,
  );
  if (typeof body?.by === "string")
    clock.advancedBy(
      body.by,
      to,
      jobs.map(({ at }) => at),
    );
  else clock.advancedTo(String(body?.to), to);
  return true;
}
