/**
 * The delivery of one event to one endpoint (interface: "Retries"): its machine, its attempts, and the signed request that an
 * attempt sends (interface: "Signature").
 */
import { createHmac } from "node:crypto";
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { changeHeaders, type HeaderChanges, signatureHeader } from "../../contract/headers.js";
import { formatSpaced, isObject, parseJson, setAtPaths } from "../../contract/json.js";
import { isSuccessStatus } from "../../contract/reply-forms.js";
import { minute, second, toIso } from "../../time/time.js";
import { type Held, heldWebhooks, type ReleaseChanges } from "../account/held.js";
import type { Job, ScheduledJob } from "../jobs/jobs.js";
import type { AccountContext } from "../records/account-context.js";
import { machineFor, recordOf, type Stored } from "../records/machine.js";
import type { Records } from "../records/records.js";
import { declareLog } from "../store/rows.js";
import { formatReceiver } from "./relay.js";

/** Delays between the attempts of a delivery, in ms on the account's clock. */
export const retryDelays = [1 * second, 5 * second, 30 * second, 5 * minute, 30 * minute] as const;

export const maxAttempts = 1 + retryDelays.length;

const formatDelay = (ms: number): string => (ms < minute ? `${ms / second} s` : `${ms / minute} min`);

/** The delays as text: `1 s, 5 s, 30 s, 5 min and 30 min`. */
export const retryDelaysText = retryDelays
  .map(formatDelay)
  .join(", ")
  .replace(/, ([^,]*)$/, " and $1");

export const DeliveryAttempt = Type.Object({
  at: Type.String({ format: "date-time", description: "ISO 8601, UTC" }),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: "HTTP status. Null if there was no reply",
  }),
  duration_ms: Type.Number({
    description: "Wall-clock time from the first byte sent to the last byte received",
  }),
  response_headers: Type.Record(Type.String(), Type.String()),
  response_body: Type.String({ description: "The first 4 KB" }),
  error: Type.Union([Type.String(), Type.Null()]),
});
export type DeliveryAttempt = Type.Static<typeof DeliveryAttempt>;

/** Returns an attempt at `at` (ms on the account's clock) that has no answer yet, or failed with `error`. */
export const newAttempt = (at: number, error: string | null = null): DeliveryAttempt => ({
  at: toIso(at),
  status: null,
  duration_ms: 0,
  response_headers: {},
  response_body: "",
  error,
});

/** Returns an attempt whose answer the service never gets. */
export const withoutAnswer = ({ at, duration_ms, status, error }: DeliveryAttempt): DeliveryAttempt => ({
  at,
  status: null,
  duration_ms,
  response_headers: {},
  response_body: "",
  error: error ?? `the answer with status ${status} was lost, as a rule asks`,
});

/** Forgery of the first attempt by a rule. Retries are genuine. */
export const tamperings = ["signature", "short", "body", "unsigned"] as const;
export type Tampering = (typeof tamperings)[number];

export interface DeliveryFields {
  event_id: string;
  event: string;
  endpoint_id: string;
  url: string;
  next_attempt_at: string | null;
  /** Whether the delivery was retried manually: one attempt, without further retries. */
  by_hand: boolean;
  /** Id of the rule whose faults apply to the delivery. */
  rule?: string;
  tamper?: Tampering;
  /** Values of the payload that a rule replaces or adds before it is signed, by path. */
  set?: Readonly<Record<string, unknown>>;
  /** Whether the answer to the first attempt is lost, so that it counts as failed. */
  lose_answer?: true;
  /** Whether the first attempt breaks off in the middle of its body. */
  cut_off?: true;
  /** Whether it tells of an older event of the same kind in place of its own. */
  is_older?: true;
  /** Whether the first attempt waits until a tester releases it, or until it is due. */
  held?: true;
  /** Whether it was held and sent before a tester released it, because held webhooks had reached their total. */
  released_early?: true;
  /** Changes of the first attempt by a tester. */
  changes?: { headers: HeaderChanges; body?: unknown };
  attempts: DeliveryAttempt[];
}
export const DeliveryStatus = Type.Enum(["pending", "succeeded", "failed"]);
export type Delivery = Stored<DeliveryFields, Type.Static<typeof DeliveryStatus>>;

/**
 * Returns when a delivery is retried if its attempt of this number, which was due at `due`, fails, in ms on the account's clock.
 * Null for never. The delays begin after an attempt that a rule has spoilt, which no receiver accepts.
 */
export function retryAt({ by_hand, tamper, cut_off }: Delivery, attempt: number, due: number): number | null {
  if (by_hand || attempt > retryDelays.length) return null;
  const spoilt = tamper || cut_off ? 1 : 0;
  return due + (retryDelays[Math.max(0, attempt - 1 - spoilt)] as number);
}

/** Input of `record_attempt`. The next delay counts from the due time of the attempt's job. */
export interface AttemptResult {
  attempt: DeliveryAttempt;
  job: ScheduledJob;
}

const hasSucceeded = ({ status }: DeliveryAttempt): boolean => isSuccessStatus(status);

/** Ends the hold of a delivery. */
export function endHold(record: Delivery): void {
  if (!record.held) return;
  delete record.held;
  heldWebhooks.release(record.id);
}

const deliveryRecord = recordOf<DeliveryFields>()({
  states: DeliveryStatus.enum,
  view: ({ id, event, state }: Delivery) => ({ id, event, status: state }),
});

type MovedAccount = Pick<AccountContext, "activities" | "clock" | "jobs">;

export const delivery = machineFor<MovedAccount, never>()(deliveryRecord, {
  name: "delivery",
  prefix: "dlv_",
  index: ["event", "event_id", "endpoint_id", "state", "held"],
  moves: {
    send: {
      from: "new",
      to: "pending",
      silent: true,
      effect: (record, account) => scheduleAttempt(account, record, account.clock.now()),
    },
    attempt: {
      from: "pending",
      to: "pending",
      says: ({ event, url }) =>
        `The next attempt to deliver ${event} to ${formatReceiver(url)} is made at once.`,
      effect(record, account) {
        endHold(record);
        scheduleAttempt(account, record, account.clock.now());
      },
    },
    record_attempt: {
      from: "pending",
      to: ["succeeded", "failed", "pending"],
      internal: true,
      silent: true,
      next: (record: Delivery, { attempt, job }: AttemptResult) => {
        if (hasSucceeded(attempt)) return "succeeded";
        return retryAt(record, record.attempts.length + 1, job.due) === null ? "failed" : "pending";
      },
      effect(record: Delivery, account: MovedAccount, { attempt, job }: AttemptResult) {
        record.attempts.push(attempt);
        endHold(record);
        const next = record.state === "pending" ? retryAt(record, record.attempts.length, job.due) : null;
        recordActivity(account, record, attempt);
        scheduleAttempt(account, record, next, job);
      },
    },
    retry: {
      from: ["pending", "failed", "succeeded"],
      to: "pending",
      says: ({ event, url }) => `${event} is delivered to ${formatReceiver(url)} once more.`,
      effect(record, account) {
        const ended = record.history.at(-1)?.from !== "pending";
        record.by_hand = record.by_hand || ended;
        endHold(record);
        scheduleAttempt(account, record, account.clock.now());
      },
    },
  },
});

declareLog(delivery.name, "deliveries with their attempts");

function recordActivity(
  { activities }: Pick<AccountContext, "activities">,
  { id, event_id, endpoint_id, event, url, attempts, state, by_hand }: Delivery,
  { status, error }: DeliveryAttempt,
): void {
  const facts = { event, url, number: attempts.length, status, error, state };
  activities.recordAttempt(facts, { delivery: id, event: event_id, endpoint: endpoint_id }, by_hand);
}

/**
 * Inside a commit: schedules the next attempt at `at` (ms on the account's clock), or none if `at` is null. `after` is the
 * job of the attempt before it, if this one is a retry.
 */
export function scheduleAttempt(
  { jobs }: Pick<AccountContext, "jobs">,
  record: Delivery,
  at: number | null,
  after?: ScheduledJob,
): void {
  record.next_attempt_at = at === null ? null : toIso(at);
  const id = `deliver:${record.id}`;
  if (at === null) return jobs.cancel(id);
  const job: Job = { due: at, kind: "deliver", id: record.id };
  if (after) jobs.scheduleAfter(after, id, job);
  else jobs.schedule(id, { ...job, reserved: retryDelays.length });
}

/** An account that makes deliveries. */
export interface DeliveryAccount extends AccountContext {
  readonly records: Records;
  readonly held: Held;
  /** Whether it has left memory. */
  readonly closed: boolean;
  commit<T>(actor: string, run: () => T): T;
}

/** Inside a commit: records the attempt of a job on a pending delivery. */
export function recordAttempt(
  { records }: DeliveryAccount,
  record: Delivery,
  attempt: DeliveryAttempt,
  job: ScheduledJob,
): Delivery {
  return records.move(delivery, record, "record_attempt", { attempt, job });
}

/** Inside a commit: ends a pending delivery without sending anything. */
export function failDelivery(account: DeliveryAccount, record: Delivery, reason: string): void {
  record.by_hand = true;
  const now = account.clock.now();
  recordAttempt(account, record, newAttempt(now, reason), { due: now });
}

/** Changes of the first attempt of a held delivery. */
export type DeliveryChanges = Pick<ReleaseChanges, "headers" | "body">;

/**
 * Yields the deliveries whose first attempt a rule holds, newest first. They are stored, and are sent automatically
 * once they are due.
 */
export const heldDeliveries = ({ records }: DeliveryAccount): Generator<Delivery> =>
  records.newest(delivery, { state: "pending", held: true });

/** Inside a commit: sends a held delivery now. */
export function releaseDelivery(
  account: DeliveryAccount,
  record: Delivery,
  { headers, body }: DeliveryChanges,
): void {
  endHold(record);
  if (headers !== undefined || body !== undefined) record.changes = { headers: headers ?? {}, body };
  scheduleAttempt(account, record, account.clock.now());
  account.records.save(delivery, record);
}

/** Inside a commit: sends the held deliveries of a rule, or all of them. */
export function releaseDeliveries(account: DeliveryAccount, rule?: string): void {
  for (const record of [...heldDeliveries(account)].reverse())
    if (rule === undefined || record.rule === rule) releaseDelivery(account, record, {});
}

/** Inside a commit: ends a held delivery. Nothing is sent unless it is retried by hand. */
export function dropDelivery(account: DeliveryAccount, record: Delivery): void {
  endHold(record);
  failDelivery(account, record, "dropped by hand: nothing was sent");
}

/** Retries a delivery by hand, whatever state it is in (interface: "Retries"). */
export const retryByHand = (account: DeliveryAccount, id: string): Delivery =>
  account.commit("control", () => account.records.move(delivery, findDelivery(account, id), "retry"));

/** Returns a delivery, or refuses an unknown id. */
export function findDelivery({ records }: DeliveryAccount, id: string): Delivery {
  const message = `There is no delivery ${id.slice(0, 100)} on this account.`;
  return records.get(delivery, id) ?? refuse("resource_not_found", { param: "id", message });
}

/** A destination of deliveries. */
export interface DeliveryTarget {
  id: string;
  url: string;
}

export interface PayloadFacts {
  /** Id of the event, `evt_…`. */
  id: string;
  event: string;
  /** When the event occurred, in ISO 8601. */
  created_at: string;
  is_test: boolean;
  data: unknown;
}

/** How the JSON of a payload may be written; assumption webhooks.bytes. */
export const payloadForms = ["spaced", "compact"] as const;
export type PayloadBytes = (typeof payloadForms)[number];

/**
 * Formats a payload as JSON, compact or with spaces. A receiver that parses and serialises the payload loses the
 * spaces.
 */
export const formatPayload = (payload: object, bytes: PayloadBytes = "spaced"): string =>
  bytes === "compact" ? JSON.stringify(payload) : formatSpaced(payload);

/** The form of events at a receiver, by assumption. */
export interface WebhookAssumptions {
  /** Form of payloads. `bare`: `{event,created_at,data}`. */
  "webhooks.payload": "extended" | "bare";
  /** Owner of the webhook secret. `endpoint`: each endpoint has its own. */
  "webhooks.secret": "account" | "endpoint";
  "webhooks.bytes": PayloadBytes;
  /** Headers of deliveries. `extended`: with the event, its id and the number of the attempt. */
  "webhooks.headers": "documented" | "extended";
}

export interface PayloadForm {
  /** Job id. If set, the payload is the documented one of verification.completed. */
  jobId?: string | undefined;
  /** Whether to omit id and is_test. */
  bare?: boolean;
}

/**
 * Returns the payload `{id,event,created_at,is_test,data}` (assumption webhooks.payload), without id and is_test if
 * payloads are bare. With a job id, it is the documented payload of verification.completed,
 * `{event,job_id,created_at,data}` (interface: "Delivery payload").
 */
export function eventPayload(facts: PayloadFacts, { jobId, bare = false }: PayloadForm): object {
  const { id, event, created_at, is_test, data } = facts;
  if (jobId !== undefined) return { event, job_id: jobId, created_at, data };
  return bare ? { event, created_at, data } : { id, event, created_at, is_test, data };
}

/** Returns the lowercase hex HMAC-SHA256 of the body, keyed with the literal secret string. */
export const sign = (body: string | Uint8Array, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");

/** The part of an outbox on which the requests of deliveries depend. */
interface Signer {
  readonly options: { assumptions: Partial<WebhookAssumptions> };
  secretFor(target: DeliveryTarget): string;
}

export interface AttemptRequest {
  headers: Record<string, string>;
  body: string;
}

/** Returns what an attempt sends, by its number from 1. */
export function attemptRequest(
  outbox: Signer,
  record: Delivery,
  genuineBody: string,
  attemptNumber: number,
): AttemptRequest {
  const { headers: changes = {}, body: changed } = (attemptNumber === 1 && record.changes) || {};
  const { assumptions } = outbox.options;
  const body =
    changed === undefined
      ? withValues(genuineBody, record.set, assumptions["webhooks.bytes"])
      : toText(changed);
  const documented = {
    "content-type": "application/json",
    [signatureHeader]: sign(body, outbox.secretFor({ id: record.endpoint_id, url: record.url })),
  };
  const headers =
    assumptions["webhooks.headers"] === "extended"
      ? {
          ...documented,
          "X-Service-Event": record.event,
          "X-Service-Delivery": record.id,
          "X-Service-Attempt": String(attemptNumber),
        }
      : documented;
  const request = { headers: Object.fromEntries(changeHeaders(Object.entries(headers), changes)), body };
  return record.tamper && attemptNumber === 1 ? forge(request, record.tamper) : request;
}

/** Returns a payload with the values that a rule replaces or adds. */
function withValues(body: string, set: Delivery["set"], bytes?: PayloadBytes): string {
  const payload = set && parseJson(body);
  if (set === undefined || !isObject(payload)) return body;
  setAtPaths(payload, set);
  return formatPayload(payload, bytes);
}

/** Returns the text of a changed body. A string is sent unchanged. */
const toText = (changed: unknown): string =>
  typeof changed === "string" ? changed : JSON.stringify(changed);

/** Returns a forgery that a receiver must refuse: it differs from the genuine request in one thing. */
function forge({ headers, body }: AttemptRequest, how: Tampering): AttemptRequest {
  const { [signatureHeader]: signature = "", ...unsigned } = headers;
  switch (how) {
    case "signature":
      return { headers: { ...headers, [signatureHeader]: changeLastDigit(signature) }, body };
    case "short":
      return { headers: { ...headers, [signatureHeader]: signature.slice(0, signature.length / 2) }, body };
    case "body":
      return { headers, body: changeLastDigit(body) };
    case "unsigned":
      return { headers: unsigned, body };
  }
}

/** Changes the last decimal digit: JSON stays JSON, and hex stays hex. A text without digits becomes all zeros. */
const changeLastDigit = (text: string): string =>
  /\d/.test(text)
    ? text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
    : "0".repeat(text.length);
