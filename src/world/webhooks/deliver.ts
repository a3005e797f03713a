/** The job of a delivery: sends one signed attempt, genuine or forged as a rule asks, and records its result in one commit. */
import { refuse } from "../../contract/errors.js";
import { changeHeaders, signatureHeader } from "../../contract/headers.js";
import { isObject, parseJson, setAtPath } from "../../contract/json.js";
import { toIso } from "../../time/time.js";
import type { Account } from "../account/account.js";
import type { JobKind, Ran } from "../account/run-job.js";
import type { Activity } from "../activity/activity.js";
import type { Figures } from "../activity/coverage.js";
import type { Job } from "../jobs/jobs.js";
import {
  type Delivery,
  type DeliveryAttempt,
  delivery,
  failDelivery,
  newAttempt,
  recordAttempt,
  retryDelays,
  type Tampering,
  withoutAnswer,
} from "./delivery.js";
import {
  formatPayload,
  type PayloadBytes,
  pastTotal,
  type SentEvent,
  sentEvents,
  sentenceOf,
  sign,
} from "./outbox.js";
import { formatReceiver, relayNameOf } from "./relay.js";
import type { Sender } from "./send.js";
import { isTimeout, timedOut } from "./transport.js";

/** Returns the headers with which an attempt continues a trace. */
type TraceHeadersOf = (accountId: string, attempt: Activity) => Record<string, string>;

export const deliverJob = (
  sender: Sender,
  figures?: Figures,
  traceHeadersOf: TraceHeadersOf = () => ({}),
): JobKind => ({
  says: formatDue,
  async run(account, job, activity) {
    const { epoch } = account;
    // No receiver may learn of a change that the store could still lose.
    await account.safe();
    if (account.epoch !== epoch) return null;
    const record = pendingDelivery(account, job);
    if (record && isEventGone(account, record)) return () => endUnsent(account, job);
    const traceHeaders = () => traceHeadersOf(account.id, activity);
    const sent = record && (await attemptOnce(account, record, job, { sender, epoch, traceHeaders }));
    if (account.epoch !== epoch) return null;
    if (!sent) return record && isEventGone(account, record) ? () => endUnsent(account, job) : null;
    const isLost = record.lose_answer === true && record.attempts.length === 0;
    const attempt = isLost ? withoutAnswer(sent) : sent;
    figures?.attempted(attempt);
    if (isTimeout(attempt.error)) account.advancing?.add(record.endpoint_id);
    return () => recordResult(account, job, attempt);
  },
});

/** Formats the attempt that a job is about to make, such as `payout.paid is sent to shop.example.` */
function formatDue(account: Account, job: Job): string {
  const record = account.records.get(delivery, job.id as string);
  if (!record) return `The delivery ${job.id} is sent.`;
  const { event, url, attempts } = record;
  const again = attempts.length === 0 ? "" : `, attempt ${attempts.length + 1}`;
  return `${event} is sent to ${formatReceiver(url)}${again}.`;
}

/** Returns the delivery of a job, or null if it has ended or was removed. */
function pendingDelivery(account: Account, { id }: Job): Delivery | null {
  const record = account.records.get(delivery, id as string);
  return record?.state === "pending" ? record : null;
}

/** Returns whether the event is no longer kept, and with it the body that the delivery would send. */
const isEventGone = ({ state }: Account, { event_id }: Delivery): boolean => !state.has(sentEvents, event_id);

function endUnsent(account: Account, job: Job): Ran | null {
  const record = pendingDelivery(account, job);
  if (!record) return null;
  failDelivery(account, record, pastTotal);
  const { id, event, state, attempts } = record;
  const at = attempts.at(-1)?.at ?? toIso(job.due);
  return { at, kind: "delivery", id, event, attempt: attempts.length, status: null, state };
}

interface Sending {
  sender: Sender;
  epoch: number;
  traceHeaders(): Record<string, string>;
}

/** Sends the next attempt. Resolves to null if it was no longer wanted when its turn came. */
async function attemptOnce(
  account: Account,
  record: Delivery,
  job: Job,
  { sender, epoch, traceHeaders }: Sending,
): Promise<DeliveryAttempt | null> {
  const at = account.advancing ? job.due : account.clock.now();
  // An endpoint delays an advance by at most one timeout.
  if (account.advancing?.has(record.endpoint_id)) return newAttempt(at, timedOut);
  return sender.send({
    account: account.id,
    endpoint: `${account.id} ${record.endpoint_id}`,
    url: record.url,
    verifyTls: account.outbox.endpoint(record.endpoint_id)?.verify_tls ?? true,
    at,
    request() {
      const event = account.epoch === epoch ? account.outbox.event(record.event_id) : undefined;
      if (!event) return null;
      const attempt = record.attempts.length + 1;
      const { headers, body } = attemptRequest(account, record, event.body, attempt);
      return {
        headers: { ...headers, ...traceHeaders() },
        body,
        ...(relayNameOf(record.url) === null ? {} : { about: describe(record, event, attempt, at, job.due) }),
      };
    },
  });
}

/** Describes an attempt for the listener of a relay. `at` and `due` are ms on the account's clock. */
const describe = (record: Delivery, event: SentEvent, attempt: number, at: number, due: number) => ({
  at: toIso(at),
  event: record.event,
  says: sentenceOf(event),
  event_id: record.event_id,
  delivery_id: record.id,
  attempt,
  retry_at:
    record.by_hand || attempt > retryDelays.length ? null : toIso(due + (retryDelays[attempt - 1] as number)),
});

/** Reads the delivery again: while the attempt was out, it may have been retried by hand or removed. */
function recordResult(account: Account, job: Job, attempt: DeliveryAttempt): Ran | null {
  const record = pendingDelivery(account, job);
  if (!record) return null;
  const { id, event, state, attempts } = recordAttempt(account, record, attempt, job);
  const { at, status } = attempt;
  return { at, kind: "delivery", id, event, attempt: attempts.length, status, state };
}

/** Retries a delivery by hand, whatever state it is in (interface: "Retries"). */
export const retryByHand = (account: Account, id: string): Delivery =>
  account.commit("control", () => account.records.move(delivery, findDelivery(account, id), "retry"));

/** Returns a delivery, or refuses an unknown id. */
export function findDelivery({ records }: Account, id: string): Delivery {
  const message = `There is no delivery ${id.slice(0, 100)} on this account.`;
  return records.get(delivery, id) ?? refuse("resource_not_found", { param: "id", message });
}

export interface AttemptRequest {
  headers: Record<string, string>;
  body: string;
}

/** Returns what an attempt sends, by its number from 1. */
export function attemptRequest(
  account: Account,
  record: Delivery,
  genuineBody: string,
  attemptNumber: number,
): AttemptRequest {
  const { headers: changes = {}, body: changed } = (attemptNumber === 1 && record.changes) || {};
  const { assumptions } = account.outbox.options;
  const body =
    changed === undefined
      ? withValues(genuineBody, record.set, assumptions["webhooks.bytes"])
      : toText(changed);
  const documented = {
    "content-type": "application/json",
    [signatureHeader]: sign(body, account.outbox.secretFor({ id: record.endpoint_id, url: record.url })),
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
  for (const [path, value] of Object.entries(set)) setAtPath(payload, path, value);
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
