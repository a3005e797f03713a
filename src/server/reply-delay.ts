/**
 * Deliberate delays of replies: by a fault, before or after the request takes effect, and the response times that
 * the interface documents.
 */
import type { AnyOperation } from "../contract/operation.js";
import { holdOf, latencyOf } from "../rules/faults.js";
import { delay, minute, realNow, second } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import type { Activity } from "../world/activity/activity.js";
import { delivery } from "../world/webhooks/delivery.js";
import type { HandlerCall } from "./handler-call.js";
import { waitCounted } from "./held.js";
import type { RequestContext } from "./request-context.js";

/** Returns a delay until the request has taken as long as a fault or the interface says, or null for none. */
export function planDelay(
  { latency }: AnyOperation,
  call: HandlerCall,
  context: RequestContext,
): (() => Promise<void>) | null {
  const documented = () => (typeof latency === "function" ? latency(call) : (latency ?? null));
  const byFault = context.fault && latencyOf(context.fault, documented);
  const range = byFault ?? (call.settings.latency === "documented" ? documented() : null);
  if (!range) return null;
  const [least, most] = range;
  const { account } = call;
  const drawn = least === most ? least : account.commit("api", () => account.random.integer(least, most));
  return () => waitCounted(context, null, (letGo) => waitUntil(drawn, context, account, letGo));
}

/** Waits until the request has taken `ms`. The account counts as in use until then, so that it stays in memory. */
async function waitUntil(
  ms: number,
  { elapsed, stopping }: RequestContext,
  account: Account,
  letGo: AbortSignal,
): Promise<void> {
  const ended = stopping ? AbortSignal.any([stopping, letGo]) : letGo;
  for (let left = ms - elapsed(); left > 0 && !ended.aborted; left = ms - elapsed()) {
    account.lastUsed = realNow();
    await delay(Math.min(left, minute), ended);
  }
}

/** Longest time that a reply waits for webhooks, in ms of wall-clock time. */
const maxHoldMs = 30 * second;

/** Returns a wait between the commit of the request and its reply, or null for none. */
export function planHold(
  { account, activity }: HandlerCall,
  context: RequestContext,
): ((result: unknown) => Promise<void>) | null {
  const { fault, stopping, gone } = context;
  const hold = fault && holdOf(fault);
  if (hold === null) return null;
  const ends = stopping ? [stopping, gone] : [gone];
  return (result) =>
    waitCounted(context, result, async (letGo) => {
      const ended = AbortSignal.any([...ends, letGo]);
      if (hold !== "webhook") await delay(hold, ended);
      else if (activity) await untilDelivered(account, activity, ended);
    });
}

/** Waits until none of the deliveries that the request has started waits for its first attempt. */
async function untilDelivered(account: Account, activity: Activity, ended: AbortSignal): Promise<void> {
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
