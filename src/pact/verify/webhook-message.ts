/** Produces the messages of a pact: each is a real webhook delivery of the event that its description names. */
import type { IncomingMessage } from "node:http";
import { signatureHeader } from "../../contract/headers.js";
import { formatNearest } from "../../contract/nearest.js";
import { type EventKind, eventKinds } from "../../service/webhooks/events.js";
import { statesWithEvent } from "../provider-states/provider-states.js";
import type { InteractionRun } from "./interaction-runs.js";

const dottedNames = /[a-z_]+(?:\.[a-z_]+)+/g;
/** `verification` is an event and an everyday word: it counts only where the text calls it an event. */
const verificationEvent =
  /^\W*verification\W*$|\bverification["'`]? (?:event|webhook|message|delivery)|\b(?:event|webhook) ["'`]?verification\b(?!\.)/;

/** Returns the event kinds that a description names, such as `a payout.paid event`. */
export function eventKindsIn(description: string): EventKind[] {
  const text = description.toLowerCase();
  const named = new Set(text.match(dottedNames));
  const kinds = eventKinds.filter((kind) => named.has(kind));
  return kinds.length === 0 && verificationEvent.test(text) ? ["verification"] : kinds;
}

/** Returns the event kind that a description names, or null if it names none or several. */
export function eventKindIn(description: string): EventKind | null {
  const [kind, ...others] = eventKindsIn(description);
  return kind === undefined || others.length > 0 ? null : kind;
}

function describeAmbiguity(description: string): string {
  const kinds = eventKindsIn(description);
  const subject = `the description ${JSON.stringify(description)}`;
  if (kinds.length > 1) return `${subject} names ${kinds.join(" and ")}; name only the event that is sent`;
  const nearest = formatNearest(description, eventKinds, { maxDistance: Number.POSITIVE_INFINITY });
  return `${subject} names no event${nearest} (of ${eventKinds.join(", ")})`;
}

function describeMissingEvent(kind: EventKind): string {
  const names = statesWithEvent(kind).map((name) => JSON.stringify(name));
  return `the states of the message do not bring about a ${kind} event; name ${names.join(" or ")}`;
}

/**
 * Sends the account's newest event of the described kind to `url`, or an event with example data if the message has no states.
 * Rejects if the states did not cause such an event.
 */
export async function sendMessage(
  { account, states }: Pick<InteractionRun, "account" | "states">,
  description: string,
  url: string,
): Promise<void> {
  const event = eventKindIn(description);
  if (event === null) throw new Error(describeAmbiguity(description));
  const [newest] = await account.events.list({ event });
  if (!newest && states.length > 0) throw new Error(describeMissingEvent(event));
  const body = JSON.stringify({ url, events: [event] });
  const headers = { "Content-Type": "application/json" };
  const registered = await account.fetch("/v1/webhooks", { method: "POST", headers, body });
  if (!registered.ok) throw new Error(`registering the webhook endpoint failed: ${await registered.text()}`);
  await account.events.trigger(event, newest?.data);
  if ((await account.clock.get()).mode === "frozen") await account.advance("0s");
}

/**
 * Returns the Pact-Message-Metadata header. Verifiers compare metadata names case-sensitively, so each usual spelling
 * is there.
 */
export function metadataOf({ headers }: IncomingMessage): string {
  const lowerCaseName = signatureHeader.toLowerCase();
  const signature = headers[lowerCaseName];
  const type = headers["content-type"];
  const metadata = {
    contentType: type,
    "Content-Type": type,
    "content-type": type,
    [signatureHeader]: signature,
    [lowerCaseName]: signature,
  };
  return Buffer.from(JSON.stringify(metadata)).toString("base64");
}
