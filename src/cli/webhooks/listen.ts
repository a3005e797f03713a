/** `standin listen`: an endpoint for as long as somebody watches it. */
import type { Command } from "commander";
import { eventKinds } from "../../contract/events.js";
import { isDeliverable } from "../../service/webhooks/deliverable-url.js";
import { delay } from "../../world/time/time.js";
import { UsageError } from "../config.js";
import { CommandFailure, type ControlApi } from "../control-api.js";
import { onStopSignals } from "../exec/child.js";
import { nearest } from "../nearest.js";
import { waitingFor } from "../progress.js";
import { controlApi, onSandbox, type SteeringFlags, taught } from "../steering.js";
import { oneLine } from "../table.js";
import { type Attempt, DeliveryLog } from "./delivery-log.js";
import { Listening } from "./listening.js";

interface Flags extends SteeringFlags {
  events?: string;
}

/** Real ms between two looks at the delivery log. */
const pollEvery = 250;

const what = "Register a URL for webhooks, and show each attempt to deliver there until Ctrl+C.";
const more = `The URL is registered on the account and removed at the end; one that was registered before is left as it was.
Failed attempts are repeated after 1 s, 5 s, 30 s, 5 min and 30 min of the account's clock: "standin advance 1h"
spares the wait.`;

export const listenCommand = (): Command =>
  onSandbox(
    taught(
      "listen",
      what,
      [
        "standin listen http://127.0.0.1:3000/webhooks",
        "standin listen http://127.0.0.1:3000/webhooks --events payout.paid,payout.failed",
        "standin listen http://127.0.0.1:3000/webhooks --json | jq .status",
      ],
      more,
    )
      .argument("<url>", "where your program takes webhooks")
      .option("--events <events>", "only these event kinds, with commas between them (default all)"),
    "print one line of JSON when it listens, and one for each attempt",
  ).action(listen);

async function listen(url: string, flags: Flags): Promise<void> {
  if (!isDeliverable(url)) throw new UsageError(whatUrl(url));
  const events = await eventsOf(flags.events);
  const api = controlApi(flags);
  const stopped = untilStopped();
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const listening = await waitingFor(`the sandbox at ${api.url}`, Listening.start(api, url, events));
  say(flags.json ? listening.toJson() : listening.describe());
  const show = (attempt: Attempt) => say(flags.json ? attempt.toJson() : attempt.describe());
  await whileItAnswers(api, "nothing is shown any more; start it and listen again", () =>
    follow(listening, stopped, show),
  );
  await whileItAnswers(api, "the URL stays registered there, if it keeps its state", () => listening.end());
}

/** Until a signal comes, or nobody reads any more. */
function untilStopped(): AbortSignal {
  const stop = new AbortController();
  onStopSignals(() => stop.abort());
  process.stdout.on("error", () => stop.abort());
  return stop.signal;
}

async function follow(
  listening: Listening,
  stopped: AbortSignal,
  show: (attempt: Attempt) => void,
): Promise<void> {
  const log = new DeliveryLog(listening.earlier);
  while (!stopped.aborted) {
    for (const attempt of log.news(await listening.deliveries())) show(attempt);
    await listening.keep();
    await delay(pollEvery, stopped);
  }
}

/** It answered before: where it runs is no question. */
async function whileItAnswers(
  api: ControlApi,
  consequence: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new CommandFailure(`the sandbox at ${api.url} has stopped answering, so ${consequence}`);
  }
}

function whatUrl(given: string): string {
  const guess = `http://${/^:?\d+(?:\/|$)/.test(given) ? `127.0.0.1:${given.replace(/^:/, "")}` : given}`;
  const example = isDeliverable(guess) && !given.includes("://") ? guess : "http://127.0.0.1:3000/webhooks";
  return `the URL must be an http or https one without user name, password and spaces, such as ${example}; got ${oneLine(given)}`;
}

async function eventsOf(list: string | undefined): Promise<string[] | null> {
  if (list === undefined) return null;
  const events = list.split(",").map((event) => event.trim());
  const known: readonly string[] = [...eventKinds, "*"];
  const unknown = events.find((event) => !known.includes(event));
  if (unknown === undefined) return events;
  throw new UsageError(
    `--events has no ${JSON.stringify(unknown)}${await nearest(eventKinds, unknown)}; there are ${eventKinds.join(", ")}`,
  );
}
