/** Rules of conduct: what a client must not do, shown by its traffic alone. A rule that cannot be sure stays silent. */

import { isObject, parseObject } from "../../contract/json.js";
import { longestReplyMs } from "../../contract/operation.js";
import { isSuccessStatus } from "../../contract/reply-forms.js";
import { hidden } from "../../contract/secrets.js";
import { serviceOperations } from "../../service/index.js";
import { minute, second } from "../../time/time.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import type { Delivery, Tampering } from "../../world/webhooks/delivery.js";
import { type ClientCall, spanOf, type Traffic } from "./traffic.js";

/** An occasion on which a client broke a rule. */
export interface Occasion {
  /** Operation or event that it is about. */
  about: string;
  /** A sentence that says what happened. */
  happened: string;
  /** Ids of the requests or deliveries that prove it. */
  evidence: readonly string[];
  /** Whether a client may do so with reason: it is worth a hint, and no finding of an exam. */
  isMild?: boolean;
}

export interface ConductRule {
  readonly id: string;
  readonly title: string;
  /** Why it matters, as a sentence. */
  readonly reason: string;
  /** The right behaviour, as a sentence. */
  readonly right: string;
  /** Whether it judges by real time, and is silent while the clock is frozen and after it was set. */
  readonly needsTime?: true;
  judge(traffic: Traffic): Occasion[];
}

/** Describes a rule that failed as a sentence, by its id. */
export const describeFailedRule = (rule: string, error: string): string =>
  `The rule of conduct ${rule} failed, and judged nothing: ${error}`;

/** Operations that move money or open something that costs money, and those that show whether they took effect. */
export const lookFirst: Readonly<Record<string, readonly string[]>> = {
  createPayout: ["listBusinessEvents", "getBusinessOverview"],
  createRefund: ["listBusinessEvents", "listPayments", "getBusinessOverview"],
  createCharge: ["listPayments", "listBusinessEvents"],
  createVirtualAccount: ["listVirtualAccounts", "listBusinessEvents"],
  createAudit: ["listAudits", "getAudit"],
};

/** Returns whether an operation moves money, or opens something that costs money. */
export const movesMoney = (operation: string): boolean => Object.hasOwn(lookFirst, operation);

/** Returns whether a request opens an account number without a reference: opened twice, the first one is known to nobody. */
export const isUnnamed = ({ operation, body }: JournalEntry): boolean =>
  operation === "createVirtualAccount" && parseObject(body ?? "")?.reference === undefined;

/** The operation that opens a checkout. Nobody pays at one whose address was lost with the reply. */
export const checkout = "createCharge";

/** Error code of a payout that nothing but the balance keeps from taking effect. */
export const beyondBalance = "insufficient_available_balance";

const heldReply = /hold=reply/;
const lostReply = /reply=(?:reset_after|reset_during|timeout_after|truncated|stalled|malformed)/;

/**
 * Returns whether the request took effect and the client cannot know it: its reply was lost, or was held and released as an
 * error that it was not.
 */
function isLost({ entry: { status, error_code, asked_fault } }: ClientCall): boolean {
  if (status === null || error_code !== null) return false;
  return status < 300
    ? lostReply.test(asked_fault ?? "")
    : status >= 500 && heldReply.test(asked_fault ?? "");
}

const describeLoss = ({ entry: { status, asked_fault } }: ClientCall): string =>
  Number(status) >= 500 ? `Its reply was held and sent as ${status}` : `Its reply was lost (${asked_fault})`;

export const repeatedAfterUnknown: ConductRule = {
  id: "repeated-after-unknown",
  title: "A request that moves money is repeated after its reply was lost",
  reason: "The first one had taken effect, so that a second one moves the money twice.",
  right: "After a lost or broken reply, read what has happened first, and repeat only what has not.",
  judge: ({ calls }) =>
    calls.flatMap((call, index) => {
      const looks = lookFirst[call.operation];
      if (!looks || !isLost(call)) return [];
      const later = calls.slice(index + 1);
      const next = later.findIndex((other) => other.repeats(call));
      const again = later[next];
      const isTooMuch = again?.entry.error_code === beyondBalance;
      if (!again || ((again.status ?? 500) >= 300 && !isTooMuch)) return [];
      if (later.slice(0, next).some(({ operation }) => looks.includes(operation))) return [];
      const what = isTooMuch ? "was sent again, beyond the balance," : "took effect again";
      const happened = `${describeLoss(call)}, and the same request ${what} without a look at ${looks[0]}.`;
      const isMild = isUnnamed(call.entry) || call.operation === checkout;
      return [{ about: call.operation, happened, evidence: [call.id, again.id], isMild }];
    }),
};

/** Yields the payments that a reply shows, with their statuses. */
function* paymentsIn({ reply }: ClientCall): Generator<[id: string, status: string]> {
  const { payments, payment_id: id, status } = reply;
  if (typeof id === "string" && typeof status === "string") yield [id, status];
  for (const payment of Array.isArray(payments) ? payments : [])
    if (isObject(payment) && typeof payment.id === "string" && typeof payment.status === "string")
      yield [payment.id, payment.status];
}

export const heldAsPaid: ConductRule = {
  id: "held-as-paid",
  title: "A payment is treated as paid while it is held",
  reason: "Held money is not yours yet: it may go back to the customer.",
  right:
    "Deliver, refund and pay out only what has the status success, and wait for payment.issue_resolved otherwise.",
  judge({ calls, deliveries }) {
    const seen = new Map<string, string>();
    // A webhook may have told the client of the release, which its requests do not show.
    const isTold = deliveries.some(({ event }) => event === "payment.issue_resolved");
    return calls.flatMap((call) => {
      const { payment_id: id } = call.body;
      const acts = call.operation === "createRefund" && typeof id === "string" && seen.get(id) === "held";
      for (const [payment, status] of paymentsIn(call)) seen.set(payment, status);
      if (!acts || isTold) return [];
      const happened = `The payment ${id} was refunded while the last reply had shown it as held.`;
      return [{ about: call.operation, happened, evidence: [call.id] }];
    });
  },
};

/** From when on a pause in ms counts as one, and by how much another one must be longer than the one before. */
const pauses = { longMs: 100, factor: 1.25, moreMs: 5 };

/** Returns whether a client waits between attempts: at least half of its pauses are long, or longer than the one before. */
function isPatient(attempts: readonly ClientCall[]): boolean {
  const waited = attempts
    .slice(1)
    .map((call, index) => call.arrivedAt - (attempts[index]?.answeredAt ?? call.arrivedAt));
  const later = waited.slice(1);
  const right = later.filter((pause, index) => {
    const before = waited[index] ?? 0;
    return pause > Math.min(pauses.longMs, Math.max(before * pauses.factor, before + pauses.moreMs));
  });
  return right.length * 2 >= later.length;
}

/** Tolerance in ms: `Retry-After` has whole seconds, and clocks differ a little. */
const retryToleranceMs = 1 * second;

export const ignoredRetryAfter: ConductRule = {
  id: "ignored-retry-after",
  title: "A request is repeated before Retry-After has passed",
  reason: "The service refuses every request until then, and may lengthen the limit.",
  right: "Wait for as many seconds as the header Retry-After says before the same request is sent again.",
  needsTime: true,
  judge: ({ calls }) =>
    calls.flatMap((call, index) => {
      const { retry_after: seconds } = call.entry;
      if (seconds === null || seconds === undefined || !call.isTimed) return [];
      const later = calls.slice(index + 1);
      const next = later.find((other) => other.repeats(call));
      const waited = next ? next.arrivedAt - call.answeredAt : Number.POSITIVE_INFINITY;
      if (!next || waited >= seconds * second - retryToleranceMs) return [];
      const happened = `It was sent again after ${Math.max(Math.round(waited / 100) / 10, 0)} s; Retry-After was ${seconds} s.`;
      const isMild = !next.isTurnedAway || isPatient([call, ...later.filter((other) => other.repeats(call))]);
      return [{ about: call.operation, happened, evidence: [call.id, next.id], isMild }];
    }),
};

const maxAttempts = 3;
const attemptsWindowMs = 1 * second;

export const noBackoff: ConductRule = {
  id: "no-backoff",
  title: "A request is repeated without a pause after 429 or 5xx",
  reason: "A service that is overloaded or down gets more load just then, and every attempt fails alike.",
  right: "Wait before each retry, longer every time, with some chance in it: 1 s, 2 s, 4 s.",
  needsTime: true,
  judge: ({ calls }) =>
    [...runsOfAttempts(calls)].flatMap((attempts) => {
      const [first, last] = [attempts[0], attempts[maxAttempts - 1]];
      if (!first || !last || !first.isTimed || last.arrivedAt - first.answeredAt >= attemptsWindowMs)
        return [];
      const happened = `${attempts.length} attempts, ${maxAttempts} of them within a second of status ${first.status}.`;
      const isMild = isPatient(attempts);
      return [{ about: first.operation, happened, evidence: attempts.map(({ id }) => id), isMild }];
    }),
};

/** Yields the attempts of each request: it and its repetitions, as long as the one before was turned away. */
function* runsOfAttempts(calls: readonly ClientCall[]): Generator<ClientCall[]> {
  const open: ClientCall[][] = [];
  for (const call of calls) {
    const run = open.find(([first]) => first && call.repeats(first));
    if (run) run.push(call);
    else if (call.isTurnedAway) open.push([call]);
    if (!run || call.isTurnedAway) continue;
    open.splice(open.indexOf(run), 1);
    yield run;
  }
  yield* open;
}

/** Maximum time in ms of a wait for a reply. */
export const maxWaitMs = 1 * minute;
/** Maximum time in ms of a wait for the reply to an operation that takes files, or for which the interface states a longer time. */
const maxLongWaitMs = 2 * minute;
/** Tolerance in ms: a timeout of a minute ends a little later. */
const waitToleranceMs = 0.5 * second;

const slowOperations = serviceOperations
  .filter((operation) => operation.upload || longestReplyMs(operation) > maxWaitMs)
  .map(({ id }) => id);

/** Returns the maximum time in ms of a wait for the reply to any of these operations. */
export const longestWaitMs = (called: readonly string[]): number =>
  called.some((id) => slowOperations.includes(id)) ? maxLongWaitMs : maxWaitMs;

export const noTimeout: ConductRule = {
  id: "no-timeout",
  title: "A reply is waited for without a time limit",
  reason: "A service that hangs takes the client down with it, one waiting request after the other.",
  right:
    "Set a timeout of at most 60 s on every request, or 120 s where files are sent or an audit is awaited, and handle it like a lost reply.",
  judge: ({ calls }) =>
    calls.flatMap((call) => {
      const { duration_ms: ms, status, asked_fault: fault } = call.entry;
      if (status === null || ms === null || !/latency=|reply_after=/.test(fault ?? "")) return [];
      if (ms <= longestWaitMs([call.operation]) + waitToleranceMs) return [];
      const happened = `It waited ${Math.round(ms / second)} s for its reply.`;
      return [{ about: call.operation, happened, evidence: [call.id] }];
    }),
};

const maxPauseMs = 1 * second;
/** Number of reads in a row, each within `maxPauseMs` of the one before, of which none shows anything new. */
const maxReads = 5;

export const busyPolling: ConductRule = {
  id: "busy-polling",
  title: "A record is read again and again although a webhook tells when it changes",
  reason: "The reads cost time and, at the service, the rate limit; the webhook would come earlier.",
  right: "Wait for the webhook, and poll every few seconds at most as a fallback.",
  needsTime: true,
  judge: ({ calls, deliveries, hasEndpoint }) =>
    [...(hasEndpoint ? runsOfReads(calls, deliveries) : [])].flatMap((run) => {
      const [first] = run;
      if (!first || run.length < maxReads) return [];
      const happened = `${run.length} reads of ${first.entry.path} in a row showed nothing new, less than a second apart.`;
      return [{ about: first.operation, happened, evidence: run.map(({ id }) => id) }];
    }),
};

/** Yields reads of one path in a row, each soon after the one before, with the same reply and without a webhook that caused it. */
function* runsOfReads(
  calls: readonly ClientCall[],
  deliveries: readonly Delivery[],
): Generator<ClientCall[]> {
  const open = new Map<string, ClientCall[]>();
  const heardAt = deliveries.flatMap(({ attempts }) => attempts.map((attempt) => spanOf(attempt).startedAt));
  for (const call of calls) {
    if (!call.isRead || !call.isTimed || call.status !== 200) continue;
    const { path, reply } = call.entry;
    const run = open.get(path) ?? [];
    const last = run.at(-1);
    const goesOn =
      last &&
      reply === last.entry.reply &&
      call.arrivedAt - last.answeredAt < maxPauseMs &&
      !heardAt.some((at) => at > last.arrivedAt && at <= call.arrivedAt);
    if (!goesOn) yield run;
    open.set(path, goesOn ? [...run, call] : [call]);
  }
  yield* open.values();
}

/** Statuses, reasons and error codes after which no code of the same id can be right. */
const endedWords: readonly unknown[] = [
  "expired",
  "max_attempts_reached",
  "failed",
  "too_many_attempts",
  "code_expired",
];

/** Returns the subject of a check: the verification, or the person on a channel. Null for a request without one. */
function subjectOf({ operation, body: { id, to }, entry }: ClientCall): string | null {
  if (operation === "checkPhoneVerification") return typeof id === "string" ? `phone ${id}` : null;
  if (operation !== "checkChannelCode" || typeof to !== "string") return null;
  return `${entry.path.replace(/\/verify$/, "")} ${to}`;
}

/** Returns the subject of a new code, by the same names. A new SMS has a new id. */
const renewedBy = ({ operation, body: { to }, entry }: ClientCall): string | null =>
  operation === "sendChannelCode" && typeof to === "string" ? `${entry.path} ${to}` : null;

const hasEnded = ({ reply, entry }: ClientCall): boolean =>
  [reply.status, reply.reason, entry.error_code].some((word) => endedWords.includes(word));

export const staleCode: ConductRule = {
  id: "stale-code",
  title: "A code is checked although the service has said that no code is right any more",
  reason: "The person types code after code, and none can be right: the code has expired or is locked.",
  right: "After expired or too many attempts, offer to send a new code, and check that one.",
  judge({ calls }) {
    const endedBy = new Map<string, ClientCall>();
    return calls.flatMap((call) => {
      const renewed = renewedBy(call);
      if (renewed !== null) endedBy.delete(renewed);
      const subject = subjectOf(call);
      if (subject === null) return [];
      const before = endedBy.get(subject);
      // A client does not know what a reply said that was lost.
      if (hasEnded(call) && !isLost(call)) endedBy.set(subject, before ?? call);
      // A client that repeats what was refused for the moment sends the same code again: no person types it.
      if (!before || (before.isTurnedAway && call.repeats(before))) return [];
      const happened =
        "Another code was checked after the service had said that the code is expired or locked.";
      return [{ about: call.operation, happened, evidence: [before.id, call.id] }];
    });
  },
};

const maxAnswerMs = 5 * second;

export const slowReceiver: ConductRule = {
  id: "slow-receiver",
  title: "A webhook is answered late",
  reason: "The service gives up after 10 s and sends the event again, so that slow work is done twice.",
  right: "Store the event, answer 2xx at once, and do the work afterwards.",
  judge: ({ deliveries }) =>
    deliveries.flatMap(({ id, event, attempts }) => {
      const slow = attempts.find(({ duration_ms }) => duration_ms > maxAnswerMs);
      if (!slow) return [];
      const seconds = Math.round(slow.duration_ms / 100) / 10;
      // An answer that the service still waits for does no harm yet.
      const isMild = slow.status !== null;
      const happened = isMild
        ? `The receiver answered after ${seconds} s.`
        : `The receiver had not answered after ${seconds} s.`;
      return [{ about: event, happened, evidence: [id], isMild }];
    }),
};

interface Answer extends ReturnType<typeof spanOf> {
  id: string;
  status: number;
}

/** Yields the answers to an event in the order of its attempts, with the delivery of each. */
function* answersOf(deliveries: readonly Delivery[]): Generator<Answer> {
  for (const { id, attempts, tamper } of deliveries) {
    for (const [index, attempt] of attempts.entries()) {
      const { status } = attempt;
      if (status !== null && !(tamper && index === 0)) yield { id, status, ...spanOf(attempt) };
    }
  }
}

export const receiverErrorsOnDuplicate: ConductRule = {
  id: "receiver-errors-on-duplicate",
  title: "A webhook that arrives a second time is refused",
  reason: "Every event may be delivered more than once, and an error makes the service send it again.",
  right: "Recognise an event by its id, answer 2xx to one that you know, and do nothing else.",
  judge({ deliveries }) {
    const byEvent = new Map<string, Delivery[]>();
    for (const delivery of deliveries) {
      // An older event is another one, which a receiver may refuse.
      const key = `${delivery.event_id} ${delivery.endpoint_id} ${delivery.is_older ?? false}`;
      byEvent.set(key, [...(byEvent.get(key) ?? []), delivery]);
    }
    return [...byEvent.values()].flatMap((copies) => {
      const answers = [...answersOf(copies)].sort((a, b) => a.startedAt - b.startedAt);
      const accepted = answers.findIndex(({ status }) => isSuccessStatus(status));
      const first = answers[accepted];
      // A receiver that is still at work on the first copy may ask for the second one again.
      const refused =
        first &&
        answers
          .slice(accepted + 1)
          .find(({ status, answeredAt }) => !isSuccessStatus(status) && answeredAt >= first.answeredAt);
      if (!first || !refused) return [];
      const happened = `The receiver answered ${first.status} the first time and ${refused.status} later.`;
      return [{ about: copies[0]?.event ?? "", happened, evidence: [...new Set([first.id, refused.id])] }];
    });
  },
};

/** Ends of a sentence that say how a webhook is forged. */
export const forgeries: Readonly<Record<Tampering, string>> = {
  signature: "with a wrong signature",
  short: "with half of a signature",
  body: "with a body that was changed after it was signed",
  unsigned: "without a signature",
};

export const acceptedForgery: ConductRule = {
  id: "accepted-forgery",
  title: "A forged webhook is accepted",
  reason: "Whoever knows the address of the receiver can tell it that money has come in.",
  right: "Compute the signature of the body as it arrived, and answer 401 if it is missing or another one.",
  judge: ({ deliveries }) =>
    deliveries.flatMap(({ id, event, tamper, attempts: [first] }) => {
      const status = first?.status ?? 0;
      if (!tamper || status < 200 || status >= 300) return [];
      const happened = `The receiver answered ${status} to a webhook ${forgeries[tamper]}.`;
      return [{ about: event, happened, evidence: [id] }];
    }),
};

const secretNames = /[?&](bvn|nin|code|card|card_number|cvv|token|secret|api_?key|key)=[^&]/i;

export const secretInUrl: ConductRule = {
  id: "secret-in-url",
  title: "A secret is in a path or a query",
  reason: "Addresses are kept in logs of servers and proxies, in histories and in error reports.",
  right: "Send keys in headers, and identity numbers and codes in the body.",
  judge({ calls }) {
    const numbers = new Set(calls.flatMap(({ body }) => [body.bvn, body.nin]));
    return calls.flatMap(({ id, operation, entry: { path } }) => {
      const [, field] = secretNames.exec(path) ?? [];
      const hasKey = path.includes("svc_") || path.includes(hidden);
      const hasNumber = (path.match(/\d{11}/g) ?? []).some((number) => numbers.has(number));
      if (field === undefined && !hasKey && !hasNumber) return [];
      const what =
        field === undefined ? (hasKey ? "an API key" : "an identity number") : `the field ${field}`;
      return [{ about: operation, happened: `The address has ${what}.`, evidence: [id] }];
    });
  },
};

export const floatMoney: ConductRule = {
  id: "float-money",
  title: "An amount is a text, or has more than two decimals",
  reason: "Sums of floating-point numbers are off by a fraction of a kobo, and are refused or rounded.",
  right: "Calculate in kobo with whole numbers, and send naira as a number with at most two decimals.",
  judge: ({ calls }) =>
    calls.flatMap(({ id, operation, body: { amount } }) => {
      if (!isAmountAsText(amount) && !isBeyondKobo(amount)) return [];
      return [{ about: operation, happened: `amount was ${JSON.stringify(amount)}.`, evidence: [id] }];
    }),
};

const isAmountAsText = (amount: unknown): boolean =>
  typeof amount === "string" && amount.trim() !== "" && !Number.isNaN(Number(amount));

/** The code of a refusal does not tell: a rule may have asked for it. */
const isBeyondKobo = (amount: unknown): boolean =>
  typeof amount === "number" && Number(amount.toFixed(2)) !== amount;

export const conductRules: readonly ConductRule[] = [
  repeatedAfterUnknown,
  heldAsPaid,
  ignoredRetryAfter,
  noBackoff,
  noTimeout,
  busyPolling,
  staleCode,
  slowReceiver,
  receiverErrorsOnDuplicate,
  acceptedForgery,
  secretInUrl,
  floatMoney,
];
