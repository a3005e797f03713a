/** Shared by the benches of webhooks: the request that emits an event, and the rate at which webhooks arrive. */
import { setTimeout as pause } from "node:timers/promises";

export const trigger = {
  method: "POST",
  path: "/_sandbox/events",
  body: JSON.stringify({ event: "payout.paid" }),
};

const pollIntervalMs = 20;

/** Waits until the receiver has counted `expected` webhooks; resolves to their rate per second. */
export async function arrivals(receiver, expected, timeoutMs) {
  const ends = performance.now() + timeoutMs;
  for (;;) {
    const { count, ms } = await receiver.call("GET", "/count");
    if (count >= expected) return (count / ms) * 1_000;
    if (performance.now() > ends)
      throw new Error(`${count} of ${expected} webhooks arrived in ${timeoutMs} ms`);
    await pause(pollIntervalMs);
  }
}

/** Pauses the account's clock, as restoring a snapshot does: no webhook is sent until the clock resumes. */
export async function pauseClock(account) {
  await account.call("PUT", "/_sandbox/snapshot", await account.call("GET", "/_sandbox/snapshot"));
}
