/** `standin listen`: registers a webhook URL and shows the delivery attempts to it. */
import type { Command } from "commander";
import { eventKinds } from "../../contract/events.js";
import { formatNearest } from "../../contract/nearest.js";
import { retryDelaysText } from "../../contract/retries.js";
import { isDeliverable } from "../../service/webhooks/deliverable-url.js";
import { delay } from "../../world/time/time.js";
import type { CommandClient } from "../command-client.js";
import { type ConnectionFlags, connect, withConnection } from "../connection.js";
import { documentedCommand } from "../documented-command.js";
import { CommandError, UsageError } from "../errors.js";
import { collectList } from "../option-parsers.js";
import { printResult } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { toOneLine } from "../output/table.js";
import { onStopSignals } from "../signals.js";
import { type Attempt, DeliveryLog, formatAttempt } from "./delivery-log.js";
import { ListenerEndpoint } from "./listener-endpoint.js";

interface Flags extends ConnectionFlags {
  events?: string[];
}

/** Wall-clock time between two polls of the delivery log, in ms. */
const pollIntervalMs = 250;

const notes = `The URL is registered on the account, and removed at the end unless it was already registered.
Failed attempts are retried after ${retryDelaysText} on the account's clock. Run "standin advance 1h" to
run these retries at once.`;

export const listenCommand = (): Command =>
  withConnection(
    documentedCommand(
      "listen",
      "Register a URL for webhooks and show every delivery attempt until Ctrl+C.",
      [
        "standin listen http://127.0.0.1:3000/webhooks",
        "standin listen http://127.0.0.1:3000/webhooks --events payout.paid,payout.failed",
        "standin listen http://127.0.0.1:3000/webhooks --json | jq .status",
      ],
      notes,
    )
      .argument("<url>", "URL of your webhook receiver")
      .option(
        "--events <events>",
        "only these event kinds, comma-separated; repeatable (default: all)",
        collectList,
      ),
    "print one line of JSON at the start and for each attempt",
  ).action(listen);

async function listen(url: string, flags: Flags): Promise<void> {
  if (!isDeliverable(url)) throw new UsageError(invalidUrl(url));
  const events = flags.events ?? null;
  if (events) checkEvents(events);
  const api = connect(flags);
  const stopped = stopSignal();
  const registering = ListenerEndpoint.register(api, url, events);
  const endpoint = await withProgress(`the sandbox at ${api.baseUrl}`, registering);
  printResult(flags, endpoint.summary(), (summary) => formatSummary(api.key, summary));
  const show = (attempt: Attempt) => printResult(flags, attempt, formatAttempt);
  await explainLoss(api, "start it and listen again", () => follow(endpoint, stopped, show));
  await explainLoss(api, "the URL stays registered if the sandbox keeps its state", () => endpoint.remove());
}

const formatSummary = (key: string, summary: ReturnType<ListenerEndpoint["summary"]>): string => {
  const { url, events, secret, registered_before } = summary;
  const which = events.includes("*") ? "All events" : events.join(", ");
  return [
    `${which} of the account ${key} are sent to ${url}${registered_before ? ", which was already registered" : ""}.`,
    `Secret: ${secret} (X-Service-Signature is the hex HMAC-SHA256 of the raw body with this key)`,
    "Press Ctrl+C to stop.",
    "",
  ].join("\n");
};

/** Aborts at a stop signal, or when stdout is closed. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  onStopSignals(() => stop.abort());
  process.stdout.on("error", () => stop.abort());
  return stop.signal;
}

async function follow(
  endpoint: ListenerEndpoint,
  stopped: AbortSignal,
  show: (attempt: Attempt) => void,
): Promise<void> {
  const log = new DeliveryLog(endpoint.earlier);
  while (!stopped.aborted) {
    for (const attempt of log.newAttempts(await endpoint.deliveries())) show(attempt);
    await endpoint.restoreAfterReset();
    await delay(pollIntervalMs, stopped);
  }
}

/** Replaces the error of a sandbox that no longer answers. It has answered before, so its URL is right. */
async function explainLoss(
  { baseUrl }: CommandClient,
  consequence: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new CommandError(`the sandbox at ${baseUrl} has stopped answering; ${consequence}`);
  }
}

function invalidUrl(given: string): string {
  const guess = `http://${/^:?\d+(?:\/|$)/.test(given) ? `127.0.0.1:${given.replace(/^:/, "")}` : given}`;
  const example = isDeliverable(guess) && !given.includes("://") ? guess : "http://127.0.0.1:3000/webhooks";
  return `the URL must be an http or https URL without user name, password and spaces, such as ${example}; got ${toOneLine(given)}`;
}

function checkEvents(events: readonly string[]): void {
  const known: readonly string[] = [...eventKinds, "*"];
  const unknown = events.find((event) => !known.includes(event));
  if (unknown === undefined) return;
  const hint = `${formatNearest(unknown, eventKinds)}; there are ${eventKinds.join(", ")}`;
  throw new UsageError(`--events: there is no event ${JSON.stringify(unknown)}${hint}`);
}
