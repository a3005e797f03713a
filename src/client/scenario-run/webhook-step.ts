/** Waits for the next event of a kind, with its deliveries and the requests that the scenario's receivers got. */
import type { StepOf } from "../../scenarios/steps.js";
import { delay, stopwatch } from "../../time/time.js";
import type { EventKind } from "../account/names.js";
import type { DeliveryEntry, EventEntry } from "../account/types.js";
import type { ReceivedWebhook } from "./receiver.js";
import { type Compare, type StepContext, StepFailure, type StepOutcome } from "./step-context.js";

/** Wall-clock time to wait for an event and its deliveries while the clock is running. */
const timeoutMs = 5_000;
const pollIntervalMs = 25;

export async function runWebhookStep(
  context: StepContext,
  { webhook }: StepOf<"webhook">,
  compare: Compare,
): Promise<StepOutcome> {
  const { account, seen, claimed } = context;
  // With a frozen clock, only jobs that are due at its instant run: once they have run, no further event follows.
  const isFrozen = (await account.clock.get()).mode !== "running";
  if (isFrozen) await account.advance("0s");
  const limitMs = isFrozen ? 0 : timeoutMs;
  const elapsed = stopwatch();
  for (;;) {
    const event = await nextEvent(context, webhook as EventKind);
    const deliveries = event ? await deliveriesOf(context, event) : [];
    const webhooks = receivedOf(context, deliveries);
    const received = webhooks.map(({ body, signed }) => ({ body, signed }));
    const actual = event && { ...event, deliveries, received };
    const problems = actual
      ? compare(actual)
      : [`no ${webhook} came${isFrozen ? "" : ` within ${limitMs / 1_000} s`}`];
    const isFinal = problems.length === 0 || !problems.every(isAboutDelivery) || elapsed() >= limitMs;
    if (actual && event && isFinal) {
      seen.add(event.id);
      for (const one of webhooks) claimed.add(one);
      return { actual, problems };
    }
    if (elapsed() >= limitMs) throw new StepFailure(`${problems.join("; ")}${await describeOthers(context)}`);
    await delay(pollIntervalMs);
  }
}

/** An event never changes, but its deliveries may. */
const isAboutDelivery = (problem: string): boolean => /^(?:deliveries|received)\b/.test(problem);

/** Returns the oldest event that no step has seen. */
async function nextEvent({ account, seen }: StepContext, kind: EventKind): Promise<EventEntry | undefined> {
  const events = await account.events.list({ event: kind });
  return events.reverse().find(({ id }) => !seen.has(id));
}

async function deliveriesOf({ account }: StepContext, { event, id }: EventEntry): Promise<DeliveryEntry[]> {
  const all: DeliveryEntry[] = await account.deliveries.list({ event });
  return all.filter(({ event_id }) => event_id === id).reverse();
}

/** Returns what the receivers got of these deliveries, one for each attempt: events of one instant may have the same bytes. */
function receivedOf({ receivers, claimed }: StepContext, deliveries: readonly DeliveryEntry[]) {
  const bodies = deliveries.flatMap(({ attempts }) => attempts.map(({ request_body }) => request_body));
  const found: ReceivedWebhook[] = [];
  for (const webhook of receivers.flatMap(({ received }) => received)) {
    const at = claimed.has(webhook) ? -1 : bodies.indexOf(webhook.text);
    if (at === -1) continue;
    bodies.splice(at, 1);
    found.push(webhook);
  }
  return found;
}

async function describeOthers({ account, seen }: StepContext): Promise<string> {
  const kinds = (await account.events.list()).filter(({ id }) => !seen.has(id)).map(({ event }) => event);
  return kinds.length === 0
    ? "; nothing else happened"
    : `; what happened: ${[...new Set(kinds)].join(", ")}`;
}
