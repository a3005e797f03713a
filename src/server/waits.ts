/**
 * Deliberate waits of requests and replies: delays by a fault or by the documented response times, and holds until a
 * tester releases or drops what a rule has stopped.
 */
import { headerPairs } from "../contract/headers.js";
import type { AnyOperation, Latency } from "../contract/operation.js";
import { Answer, Binary, JsonText, Stream } from "../contract/reply-forms.js";
import { redactHeaders } from "../contract/secrets.js";
import { holdOf, latencyOf } from "../rules/faults.js";
import { delay, minute, realNow, second } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { HeldEnd, HeldExchange } from "../world/account/held.js";
import type { Activity } from "../world/activity/activity.js";
import { Total, usualLimit } from "../world/store/total.js";
import { delivery } from "../world/webhooks/delivery.js";
import type { RequestContext } from "./request-context.js";

/** Estimated size in bytes of a request that waits, without its body: the socket, the request and the response. */
const waitBytes = 20_000;

/** Requests and replies that rules hold or delay. */
const waits = new Total<AbortController>(
  "requests and replies that rules hold or delay",
  usualLimit,
  (wait) => wait.abort(),
);

/**
 * Waits as a rule asks, with a signal that aborts when the waits of all accounts have reached their total and this one is
 * the oldest. The reply then says so.
 */
export async function waitCounted<T>(
  context: RequestContext,
  reply: unknown,
  wait: (cutShort: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const counted = waits.add(end, waitBytes + sizeOfRequest(context) + sizeOfReply(reply));
  try {
    return await wait(end.signal);
  } finally {
    waits.release(counted);
    if (end.signal.aborted)
      context.replyHeaders.push(
        "X-Sandbox-Released",
        "early, because the held and delayed requests of all accounts had reached their total",
      );
  }
}

function sizeOfRequest({ bodyText, files }: RequestContext): number {
  const bytes = Object.values(files).map(({ bytes }) => bytes?.length ?? 0);
  return sizeOfJson(bodyText ?? "") + bytes.reduce((sum, length) => sum + length, 0);
}

function sizeOfReply(reply: unknown): number {
  const body = reply instanceof Answer ? reply.body : reply;
  if (body instanceof Binary) return body.bytes.length;
  if (body instanceof JsonText) return body.pieces.reduce((sum, { length }) => sum + length, 0);
  return body instanceof Stream ? 0 : sizeOfJson(JSON.stringify(body) ?? "");
}

/** Estimated size in bytes of an object or a list in a parsed JSON text, and of each of its members. */
const bytesPerValue = 40;

/** Returns the estimated size of a JSON text together with what it is parsed to. */
function sizeOfJson(text: string): number {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A comma, a bracket or a brace.
    if (code === 44 || code === 91 || code === 123) values++;
  }
  return 2 * text.length + bytesPerValue * values;
}

type HeldContent = Pick<HeldExchange, "kind" | "status" | "headers" | "body">;

/** Holds an exchange. Publishes its activity first, so that followers see that something waits. */
function hold(
  context: RequestContext,
  account: Account,
  content: HeldContent,
  reply?: unknown,
): Promise<HeldEnd> {
  const { activity, method, operation, requestId, shownTarget, gone, stopping } = context;
  if (activity) account.activities.log.publish(activity);
  const exchange = {
    ...content,
    id: requestId,
    rule: activity?.call?.rule ?? null,
    at: account.clock.now(),
    operation: (operation as AnyOperation).id,
    method,
    path: shownTarget,
  };
  const ends = stopping ? [gone, stopping] : [gone];
  return waitCounted(context, reply, (cutShort) =>
    account.held.hold(exchange, AbortSignal.any([...ends, cutShort])),
  );
}

/**
 * Holds a request before it takes effect. Returns its changed body, no body if it is unchanged, or null if the request was
 * dropped.
 */
export async function holdRequest(
  context: RequestContext,
  account: Account,
  body: Record<string, unknown>,
): Promise<{ body?: Record<string, unknown> } | null> {
  const headers = redactHeaders(context.request.rawHeaders);
  const end = await hold(context, account, { kind: "request", status: null, headers, body });
  if (end.isDropped) return null;
  const { body: changed } = end.changes;
  return changed === undefined ? {} : { body: changed as Record<string, unknown> };
}

const isJsonBody = (body: unknown): boolean => !(body instanceof Binary || body instanceof Stream);

/** Holds a reply. Resolves to the status and body to send, and notes changed headers in the context. */
export async function holdReply(
  context: RequestContext,
  status: number,
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  const account = context.account as Account;
  const headers = Object.fromEntries(headerPairs(context.replyHeaders));
  const json = isJsonBody(body) ? body : null;
  const end = await hold(context, account, { kind: "reply", status, headers, body: json }, body);
  if (end.isDropped) {
    context.fault = { ...context.fault, reply: "reset_after" };
    return { status, body };
  }
  const { changes } = end;
  if (changes.headers) context.changedHeaders = changes.headers;
  return {
    status: changes.status ?? status,
    body: changes.body === undefined ? body : toBody(changes.body),
  };
}

/** Returns the body of a changed reply. A string is sent unchanged. */
const toBody = (changed: unknown): unknown =>
  typeof changed === "string" ? new JsonText([Buffer.from(changed)]) : changed;

/**
 * Returns a delay until the request has taken as long as a fault or else the interface says, or null for none.
 * `documented` returns the documented range.
 */
export function planDelay(
  context: RequestContext,
  account: Account,
  latency: "none" | "documented",
  documented: () => Latency | null,
): (() => Promise<void>) | null {
  const byFault = context.fault && latencyOf(context.fault, documented);
  const range = byFault ?? (latency === "documented" ? documented() : null);
  if (!range) return null;
  const [least, most] = range;
  const drawn = least === most ? least : account.commit("api", () => account.random.integer(least, most));
  return () => waitCounted(context, null, (cutShort) => waitUntil(drawn, context, account, cutShort));
}

/** Waits until the request has taken `ms`. The account counts as in use until then, so that it stays in memory. */
async function waitUntil(
  ms: number,
  { elapsed, stopping }: RequestContext,
  account: Account,
  cutShort: AbortSignal,
): Promise<void> {
  const ended = stopping ? AbortSignal.any([stopping, cutShort]) : cutShort;
  for (let left = ms - elapsed(); left > 0 && !ended.aborted; left = ms - elapsed()) {
    account.lastUsed = realNow();
    await delay(Math.min(left, minute), ended);
  }
}

/** Longest time that a reply waits for webhooks, in ms of wall-clock time. */
const maxHoldMs = 30 * second;

/** Returns a wait between the commit of the request and its reply, or null for none. */
export function planHold(
  context: RequestContext,
  account: Account,
): ((result: unknown) => Promise<void>) | null {
  const { activity, fault, stopping } = context;
  const hold = fault && holdOf(fault);
  if (hold === null) return null;
  const ends = stopping ? [stopping, context.gone] : [context.gone];
  return (result) =>
    waitCounted(context, result, async (cutShort) => {
      const ended = AbortSignal.any([...ends, cutShort]);
      if (hold !== "webhook") await delay(hold, ended);
      else if (activity) await untilDelivered(account, activity, ended);
    });
}

/**
 * Waits until every delivery that the request has started has had its first attempt. An advance of the clock makes these attempts
 * once the receiver that may have sent the request has answered, so that it would wait for itself.
 */
async function untilDelivered(account: Account, activity: Activity, ended: AbortSignal): Promise<void> {
  if (account.advancing) return;
  const waiting = new Set(startedBy(activity).filter((id) => awaitsAttempt(account, id)));
  if (waiting.size === 0) return;
  const over = new AbortController();
  const end = () => over.abort();
  const stopListening = account.activities.log.listen({
    published({ refs }) {
      const { delivery: id } = refs;
      if (id !== undefined && waiting.has(id) && !awaitsAttempt(account, id)) waiting.delete(id);
      if (waiting.size === 0) end();
    },
    clockSet() {},
    cleared: end,
    ended: end,
  });
  await delay(maxHoldMs, AbortSignal.any([over.signal, ended]));
  stopListening();
}

/** Returns the ids of the deliveries that the commits of a call have started. */
const startedBy = ({ wrote }: Activity): string[] => wrote.filter((_, at) => wrote[at - 1] === delivery.name);

function awaitsAttempt({ records }: Account, id: string): boolean {
  const record = records.get(delivery, id);
  return record?.state === "pending" && record.attempts.length === 0;
}
