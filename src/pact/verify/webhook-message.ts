/** A message of a pact is a webhook delivery: which event its description means, and how to have it sent. */
import type { IncomingMessage } from "node:http";
import { closest } from "fastest-levenshtein";
import { type EventKind, eventKinds } from "../../contract/events.js";
import type { SandboxAccount } from "../../library/account.js";

/** Names of events have a dot, but for one, which is an everyday word: it counts where it is said to be an event. */
const kindNames = /[a-z_]+(?:\.[a-z_]+)+/g;
const verificationEvent =
  /^\W*verification\W*$|\bverification["'`]? (?:event|webhook|message|delivery)|\b(?:event|webhook) ["'`]?verification\b(?!\.)/;

/** The event kinds that a description names, such as `a payout.paid event`. */
export function kindsIn(description: string): EventKind[] {
  const text = description.toLowerCase();
  const named = new Set(text.match(kindNames));
  const kinds = eventKinds.filter((kind) => named.has(kind));
  return kinds.length === 0 && verificationEvent.test(text) ? ["verification"] : kinds;
}

/** Null: it names none, or several. */
export function kindIn(description: string): EventKind | null {
  const [kind, ...others] = kindsIn(description);
  return kind === undefined || others.length > 0 ? null : kind;
}

function whyNone(description: string): string {
  const kinds = kindsIn(description);
  const said = `the description ${JSON.stringify(description)}`;
  if (kinds.length > 1) return `${said} names ${kinds.join(" and ")}; name the one event that it is about`;
  const nearest = closest(description, [...eventKinds]);
  return `${said} names no event; put one in, such as ${nearest} (there are ${eventKinds.join(", ")})`;
}

/** Has the newest event of the kind sent to `url`; where the states brought none about, one with example data. */
export async function takeMessage(account: SandboxAccount, description: string, url: string): Promise<void> {
  const event = kindIn(description);
  if (event === null) throw new Error(whyNone(description));
  const [newest] = await account.events.list({ event });
  const body = JSON.stringify({ url, events: [event] });
  const headers = { "Content-Type": "application/json" };
  const registered = await account.fetch("/v1/webhooks", { method: "POST", headers, body });
  if (!registered.ok) throw new Error(`the endpoint is refused: ${await registered.text()}`);
  await account.events.trigger(event, newest?.data);
  if ((await account.clock.get()).mode === "frozen") await account.advance("0s");
}

/** Verifiers compare the names of metadata to the letter: each is there as people write it. */
export function metadataOf({ headers }: IncomingMessage): string {
  const signature = headers["x-service-signature"];
  const type = headers["content-type"];
  const metadata = {
    contentType: type,
    "Content-Type": type,
    "content-type": type,
    "X-Service-Signature": signature,
    "x-service-signature": signature,
  };
  return Buffer.from(JSON.stringify(metadata)).toString("base64");
}
