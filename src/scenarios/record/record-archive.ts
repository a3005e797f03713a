/** Writes the requests of an HTTP archive as a scenario that passes on a fresh account of a sandbox. */
import { isObject, objectsIn } from "../../contract/json.js";
import { serviceOperations } from "../../service/index.js";
import { toIso } from "../../time/time.js";
import { inTurns } from "../../time/turns.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import { EarlierRecords } from "./earlier-records.js";
import { nameOfResult } from "./expectations.js";
import type { RecordedSession } from "./record-session.js";
import { type RecordedStep, Recorder, tidySteps } from "./recorder.js";
import { ReplayClock } from "./replay-clock.js";
import { PersonalData, Secrets } from "./secrets.js";
import { hasSucceeded, type RecordedCall, readJournalEntry } from "./session-log.js";
import { recordRequest } from "./steps.js";

interface ArchiveOptions {
  /** Whether the requests have a live key. */
  readonly live: boolean;
  /** Whether they went to a sandbox, whose people are invented and are kept. */
  readonly isOfSandbox?: boolean;
  /** Whether uploads are in the steps, as base64. Default: they are files beside the scenario. */
  readonly inline?: boolean;
}

export async function recordArchive(
  entries: readonly JournalEntry[],
  { live, isOfSandbox = false, inline = false }: ArchiveOptions,
): Promise<RecordedSession> {
  const secrets = new Secrets(isOfSandbox ? null : new PersonalData());
  const recorder = new Recorder(serviceOperations, secrets, inline);
  const start = entries[0]?.at ?? 0;
  const clock = new ReplayClock(start, (advance) => recorder.add({ advance }));
  const earlier = new EarlierRecords(
    recorder,
    entries.map(({ error_code }) => error_code),
  );
  const codes = new SentCodes(recorder);
  const locations = new SharedLocations(recorder);
  const states = new Map<string, string>();
  for (const entry of entries) {
    const call = readJournalEntry(withoutPrivateFiles(entry), serviceOperations);
    if (!call) continue;
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

/** Names of uploads, and pictures of people and papers, are not kept. */
function withoutPrivateFiles(entry: JournalEntry): JournalEntry {
  const { form, path } = entry;
  if (!form) return entry;
  const isAboutPerson = /^\/v1\/(?:verify|media-scan)\//.test(path);
  const files = form.files.map(({ filename, kept, ...file }) => ({
    ...file,
    filename: `${file.field}${/\.\w{1,5}$/.exec(filename)?.[0] ?? ""}`,
    kept: isAboutPerson ? { bytes: null } : kept,
  }));
  return { ...entry, form: { ...form, files } };
}

/** Returns whether a read shows a record in another state than before: time has passed on the service. */
function hasChanged(states: Map<string, string>, { call, reply }: RecordedCall): boolean {
  let changed = false;
  for (const { id, status } of objectsIn(reply)) {
    if (typeof id !== "string" || typeof status !== "string") continue;
    const before = states.get(id);
    changed ||= call.method === "GET" && before !== undefined && before !== status;
    states.set(id, status);
  }
  return changed;
}

interface Sent {
  /** Verification id, or for codes by message the channel and the recipient. */
  readonly subject: string;
  readonly to: string;
  readonly channel: "sms" | "chat";
}

type Fields = Readonly<Record<string, unknown>>;

class SentCodes {
  /** Codes that no step has read yet, oldest first. */
  #unread: Sent[] = [];

  constructor(readonly recorder: Recorder) {}

  /** Remembers the code that a call has sent. */
  remember(call: RecordedCall): void {
    if (!hasSucceeded(call)) return;
    const { id, phone, to } = (call.reply ?? {}) as Fields;
    if (call.operation.id === "startPhoneVerification")
      this.#unread.push({ subject: String(id), to: String(phone), channel: "sms" });
    if (call.operation.id === "sendChannelCode")
      this.#unread.push({ subject: `${call.params.channel_id} ${to}`, to: String(to), channel: "chat" });
  }

  /** Adds the steps that read the code, if a call checks the right one. Wrong codes stay wrong. */
  expect({ operation, body, params, reply }: RecordedCall): void {
    const { code, id, to } = body ?? {};
    const { verified, valid } = (reply ?? {}) as Fields;
    const isRight = verified === true || valid === true;
    if (typeof code !== "string" || !isRight) return;
    const subject = operation.id === "checkPhoneVerification" ? String(id) : `${params.channel_id} ${to}`;
    const last = this.#unread.findLast((sent) => sent.subject === subject);
    if (!last) return;
    // Each step reads the next message to the person, so that earlier ones are read first.
    const earlier = this.#unread.slice(0, this.#unread.indexOf(last) + 1);
    const read = earlier.filter(({ to: person, channel }) => person === last.to && channel === last.channel);
    const steps = read.map(() => this.#addStep(last));
    this.recorder.known.set(code, steps.at(-1) as RecordedStep, "message", "codes.0");
    this.#unread = this.#unread.filter((sent) => !read.includes(sent));
  }

  #addStep({ to, channel }: Sent): RecordedStep {
    const step: RecordedStep = { inbox: { to: this.recorder.rewrite(to), channel } };
    this.recorder.add(step);
    return step;
  }
}

/** Degrees, about 1 km. */
const maxDistance = 0.01;

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const placeholder = (id: unknown, axis: keyof Place): string => `${axis} of ${String(id)}`;

class SharedLocations {
  readonly #addresses = new Map<string, Place>();

  constructor(readonly recorder: Recorder) {}

  /** Remembers the location of the address of a new check. */
  remember(call: RecordedCall): void {
    if (call.operation.id !== "verifyAddress" || !hasSucceeded(call) || !isObject(call.reply)) return;
    const { id, address } = call.reply;
    const step = this.recorder.steps.at(-1);
    if (!isPlace(address) || typeof id !== "string" || !step) return;
    this.#addresses.set(id, address);
    for (const axis of ["latitude", "longitude"] as const)
      this.recorder.known.set(
        placeholder(id, axis),
        step,
        nameOfResult(call.operation.id),
        `address.${axis}`,
      );
  }

  /** Returns the call with a reference to the address in place of a location close to it. */
  replace(call: RecordedCall): RecordedCall {
    const { operation, params, body } = call;
    const address = this.#addresses.get(params.id ?? "");
    if (operation.id !== "submitAddressLocation" || !address || !isPlace(body)) return call;
    const isClose = (axis: keyof Place) => Math.abs(body[axis] - address[axis]) < maxDistance;
    if (!isClose("latitude") || !isClose("longitude")) return call;
    const [latitude, longitude] = (["latitude", "longitude"] as const).map((axis) =>
      placeholder(params.id, axis),
    );
    return { ...call, body: { ...(body as object), latitude, longitude } };
  }
}

const isPlace = (value: unknown): value is Place =>
  isObject(value) && typeof value.latitude === "number" && typeof value.longitude === "number";
