/** A message of a pact is a webhook delivery: which event its description means, and how to have it sent. */
import type { IncomingMessage } from "node:http";
import { closest } from "fastest-levenshtein";
import { type EventKind, eventKinds } from "../../contract/events.js";
import type { SandboxAccount } from "../../library/account.js";

/** The event kind that a description names, such as `a payout.paid event`; the longest one counts. */
export function kindIn(description: string): EventKind | null {
  const words = description.split(/[\s"'`,;:()]+/).map((word) => word.replace(/\.$/, ""));
  return eventKinds.find((kind) => words.includes(kind)) ?? null;
}

/** Has the newest event of the kind sent to `url`; where the states brought none about, one with example data. */
export async function takeMessage(account: SandboxAccount, description: string, url: string): Promise<void> {
  const event = kindIn(description);
  if (event === null) {
    const nearest = closest(description, [...eventKinds]);
    throw new Error(
      `the description ${JSON.stringify(description)} names no event; put one in, such as ${nearest} (there are ${eventKinds.join(", ")})`,
    );
  }
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
