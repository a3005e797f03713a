/** Deliberate delays of replies: those of a fault, and the response times that the interface documents. */
import type { AnyOperation } from "../contract/operation.js";
import { latencyOf } from "../rules/faults.js";
import { delay, minute, realNow } from "../time/time.js";
import type { Account } from "../world/account/account.js";
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
