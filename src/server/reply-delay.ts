/**
 * Deliberate delays of replies: those of a fault, before or after the request takes effect, and the response times that
 * the interface documents.
 */
import type { AnyOperation } from "../contract/operation.js";
import { holdOf, latencyOf } from "../rules/faults.js";
import { delay, minute, realNow, second } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { Activity } from "../world/activity/activity.js";
import { explain } from "../world/activity/explain.js";
import { delivery } from "../world/webhooks/delivery.js";
import type { HandlerCall } from "./handler-call.js";
import type { RequestContext } from "./request-context.js";

/** Returns a delay until the request has taken as long as a fault or the interface says, or null for none. */
export function planDelay(
  { latency }: AnyOperation,
  call: HandlerCall,
  context: RequestContext,
): (() => Promise<void>) | null {
  const documented = () => (typeof latency === "function" ? latency(call) : (latency ?? null));
  const asked = context.fault && latencyOf(context.fault, documented);
  const range = asked ?? (call.settings.latency === "documented" ? documented() : null);
  if (!range) return null;
  const [least, most] = range;
  const { account } = call;
  const drawn = least === most ? least : account.commit("api", () => account.random.integer(least, most));
  return () => waitUntil(drawn, context, account);
}

/** Waits until the request has taken `ms`. The account counts as in use meanwhile, so that it stays in memory. */
async function waitUntil(ms: number, { elapsed, stopping }: RequestContext, account: Account): Promise<void> {
  for (let left = ms - elapsed(); left > 0 && !stopping?.aborted; left = ms - elapsed()) {
    account.lastUsed = realNow();
    await delay(Math.min(left, minute), stopping);
  }
}

/** Longest time that a reply waits for webhooks, in ms of wall-clock time. */
const maxHoldMs = 30 * second;

/** Returns a wait between the commit of the request and its reply, or null for none. */
export function planHold(
  { account, activity }: HandlerCall,
  { fault, stopping, gone }: Pick<RequestContext, "fault" | "stopping" | "gone">,
): (() => Promise<void>) | null {
  const hold = fault && holdOf(fault);
  if (hold === null) return null;
  const ended = stopping ? AbortSignal.any([stopping, gone]) : gone;
  if (hold !== "webhook") return () => delay(hold, ended);
  return async () => {
    if (activity) await untilDelivered(account, activity, ended);
  };
}

/** Waits until no delivery of the events that the request has caused waits for its first attempt. */
async function untilDelivered(account: Account, activity: Activity, ended: AbortSignal): Promise<void> {
  const { log } = account.activities;
  const over = new AbortController();
  const end = () => over.abort();
  const check = () => {
    const events = explain(log, activity).effects.flatMap(({ activity: { refs, kind } }) =>
      kind === "event" && refs.event !== undefined ? [refs.event] : [],
    );
    if (!events.some((event) => awaitsAttempt(account, event))) end();
  };
  const stopListening = log.listen({ published: check, clockSet() {}, cleared: end, ended: end });
  check();
  await delay(maxHoldMs, AbortSignal.any([over.signal, ended]));
  stopListening();
}

function awaitsAttempt({ records }: Account, event_id: string): boolean {
  for (const { attempts } of records.newest(delivery, { event_id, state: "pending" }))
    if (attempts.length === 0) return true;
  return false;
}
