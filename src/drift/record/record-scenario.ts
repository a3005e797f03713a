/** Writes the exchanges of a client with the real service as a scenario that passes on a fresh account of a sandbox. */

import { isObject } from "../../contract/json.js";
import { recordRequest } from "../../scenarios/record/call-step.js";
import { PersonalData } from "../../scenarios/record/personal-data.js";
import type { RecordedSession } from "../../scenarios/record/record-session.js";
import { Recorder, tidySteps } from "../../scenarios/record/recorder.js";
import { ReplayClock } from "../../scenarios/record/replay-clock.js";
import { Secrets } from "../../scenarios/record/secrets.js";
import { type RecordedCall, readCall } from "../../scenarios/record/session-log.js";
import { serviceOperations } from "../../service/index.js";
import { toIso } from "../../time/time.js";
import { inTurns } from "../../time/turns.js";
import { Activity } from "../../world/activity/activity.js";
import { EarlierRecords } from "./earlier-records.js";
import type { PassedExchange } from "./exchange.js";
import { SentCodes } from "./sent-codes.js";
import { SharedLocations } from "./shared-locations.js";

export interface DriftRecordingOptions {
  /** Whether the requests have a live key. */
  readonly live: boolean;
  /** Whether they went to a sandbox, whose people are invented and are kept. */
  readonly isOfSandbox?: boolean;
}

export async function recordExchanges(
  exchanges: readonly PassedExchange[],
  { live, isOfSandbox = false }: DriftRecordingOptions,
): Promise<RecordedSession> {
  const recorder = new Recorder(serviceOperations, new Secrets(isOfSandbox ? null : new PersonalData()));
  const start = exchanges[0]?.entry.at ?? 0;
  const clock = new ReplayClock(start, (advance) => recorder.add({ advance }));
  const earlier = new EarlierRecords(
    recorder,
    exchanges.map(({ entry }) => entry.error_code),
  );
  const codes = new SentCodes(recorder);
  const locations = new SharedLocations(recorder);
  const states = new Map<string, string>();
  for (const [index, exchange] of exchanges.entries()) {
    const call = toCall(exchange, index);
    if (hasChanged(states, call)) clock.changed(call.activity.at);
    clock.called(call.activity.at);
    const known = earlier.replace(call);
    codes.expect(known);
    const steps = recorder.steps.length;
    recordRequest(recorder, locations.replace(known));
    if (recorder.steps.length === steps) earlier.leaveOut(known);
    codes.remember(known);
    locations.remember(known);
  }
  const scenario = {
    name: `Recorded from the service on ${toIso(start).slice(0, 16).replace("T", " at ")}`,
    ...(live ? { account: "live" as const } : {}),
    given: { clock: toIso(start), ...earlier.given },
    steps: await inTurns(tidySteps(recorder.steps)),
  };
  return { scenario, files: recorder.files.list(), left_out: [...recorder.leftOut] };
}

/** Returns the exchange as a call of a session. Names of uploads, and pictures of people and papers, are not kept. */
function toCall({ operation, entry }: PassedExchange, index: number): RecordedCall {
  const { form } = entry;
  const isAboutPerson =
    operation.route.includes("/v1/verify/") || operation.route.includes("/v1/media-scan/");
  const files = form?.files.map(({ filename, kept, ...file }) => ({
    ...file,
    filename: `${file.field}${/\.\w{1,5}$/.exec(filename)?.[0] ?? ""}`,
    kept: isAboutPerson ? { bytes: null } : kept,
  }));
  const call = form && files ? { ...entry, form: { ...form, files } } : entry;
  const refs = { operation: operation.id };
  const activity = new Activity("request", entry.at, null, refs, call, entry.id, 0, index, index);
  return readCall(activity, serviceOperations) as RecordedCall;
}

/** Returns whether a read shows a record in another state than before: time has passed on the service. */
function hasChanged(states: Map<string, string>, { call, reply }: RecordedCall): boolean {
  let changed = false;
  for (const { id, status } of recordsIn(reply)) {
    const before = states.get(id);
    changed ||= call.method === "GET" && before !== undefined && before !== status;
    states.set(id, status);
  }
  return changed;
}

function* recordsIn(value: unknown): Generator<{ id: string; status: string }> {
  if (Array.isArray(value)) for (const item of value) yield* recordsIn(item);
  if (!isObject(value)) return;
  const { id, status } = value;
  if (typeof id === "string" && typeof status === "string") yield { id, status };
  for (const inner of Object.values(value)) yield* recordsIn(inner);
}
