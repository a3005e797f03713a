/** The next event of a kind, with its deliveries, and with what the scenario's receivers got of it. */
import type { StepOf } from "../../scenarios/steps.js";
import { delay, stopwatch } from "../../world/time/time.js";
import type { EventKind } from "../names.js";
import type { DeliveryEntry, EventEntry } from "../types.js";
import type { Acted, Judge, Walk } from "./acts.js";
import { StepFailure } from "./failure.js";

/** Real ms that an event, or what is expected of it, has to come while the clock runs. */
const mostPatience = 5_000;
const between = 25;

export async function awaitWebhook(walk: Walk, { webhook }: StepOf<"webhook">, judge: Judge): Promise<Acted> {
  const { account, seen } = walk;
  // A clock that stands sends nothing by itself: what is due at this instant goes now, and nothing comes later.
  const isFrozen = (await account.clock.get()).mode === "frozen";
  if (isFrozen) await account.advance("0s");
  const patience = isFrozen ? 0 : mostPatience;
  const elapsed = stopwatch();
  for (;;) {
    const event = await nextEvent(walk, webhook as EventKind);
    const actual = event && (await withDeliveries(walk, event));
    const problems = actual
      ? judge(actual)
      : [`no ${webhook} came${isFrozen ? "" : ` within ${patience / 1_000} s`}`];
    const isFinal = problems.length === 0 || !problems.every(isAboutDelivery) || elapsed() >= patience;
    if (actual && event && isFinal) {
      seen.add(event.id);
      return { actual, problems };
    }
    if (elapsed() >= patience) throw new StepFailure(`${problems.join("; ")}${await others(walk)}`);
    await delay(between);
  }
}

/** What has come of an event stays as it is; its deliveries may still change. */
const isAboutDelivery = (problem: string): boolean => /^(?:deliveries|received)\b/.test(problem);

/** The oldest that no step has seen. */
async function nextEvent({ account, seen }: Walk, kind: EventKind): Promise<EventEntry | undefined> {
  const events = await account.events.list({ event: kind });
  return events.reverse().find(({ id }) => !seen.has(id));
}

async function withDeliveries({ account, receivers }: Walk, event: EventEntry) {
  const all: DeliveryEntry[] = await account.deliveries.list({ event: event.event });
  const deliveries = all.filter(({ event_id }) => event_id === event.id).reverse();
  const bodies = deliveries.flatMap(({ attempts }) => attempts.map(({ request_body }) => request_body));
  const received = receivers
    .flatMap((receiver) => receiver.received)
    .filter(({ text }) => bodies.includes(text))
    .map(({ body, signed }) => ({ body, signed }));
  return { ...event, deliveries, received };
}

async function others({ account, seen }: Walk): Promise<string> {
  const kinds = (await account.events.list()).filter(({ id }) => !seen.has(id)).map(({ event }) => event);
  return kinds.length === 0
    ? "; nothing else happened"
    : `; what happened: ${[...new Set(kinds)].join(", ")}`;
}
