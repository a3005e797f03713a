/** `standin listen`: receives webhooks through a relay, posts them to a local URL, and shows every attempt. */

import { spawnSync } from "node:child_process";
import type { Command } from "commander";
import { ControlError, NoSandbox, SandboxClient } from "../../client/client.js";
import { RelayListener } from "../../client/relay-listener.js";
import { eventKinds } from "../../service/webhooks/events.js";
import { isDeliverable } from "../../service/webhooks/webhooks.js";
import { randomHex } from "../../time/random.js";
import { second } from "../../time/time.js";
import { retryDelaysText } from "../../world/webhooks/delivery.js";
import { relayNameOf } from "../../world/webhooks/relay.js";
import { attemptTimeout } from "../../world/webhooks/send.js";
import { topCommand } from "../command-list.js";
import {
  type CommandClient,
  type ConnectionFlags,
  connect,
  connectionOf,
  controlOptions,
} from "../connection.js";
import { CommandError, checkNames, printError, UsageError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { printResult, toOneLine } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { collectList } from "../sandbox-options.js";
import { stopController } from "../signals.js";
import { collectConditions, collectRoutes } from "./forwarding.js";
import { type EndpointInput, endpointsOf, ListenerEndpoint, relayNameFor } from "./listener-endpoint.js";
import { formatAttempt, type RelayedAttempt, RelayForwarder } from "./relayed-attempt.js";

const notes = `The command holds a connection to the sandbox, gets each signed attempt through it, posts it to the URL and returns the
answer, which becomes the answer to the attempt: the sandbox can run where it cannot reach the URL. Listeners of the same relay take
turns. The relay is registered on the account, and removed at the end unless it was already registered.
Failed attempts are retried after ${retryDelaysText} on the account's clock. Run "standin advance 1h" to
run these retries at once.`;

const own = flagTable(null, [
  [
    "--events <events>",
    "only these event kinds, comma-separated; repeatable (default: all)",
    // Checked before they are sent.
    { parse: collectList as (text: string, previous: never) => NonNullable<EndpointInput["events"]> },
  ],
  [
    "--forward-only <events>",
    "forward only these event kinds; the others are shown and answered with 204",
    { parse: collectList },
  ],
  [
    "--route <event=target>",
    "forward these events to another path or URL, such as payout.*=/payouts; the first route that matches decides; repeatable",
    { parse: collectRoutes },
  ],
  [
    "--where <field=value>",
    "forward only events with this value in the payload, such as data.status=failed; the others are shown and answered with 204; repeatable",
    { parse: collectConditions },
  ],
  ["--print", "show the headers and the body of each attempt; without a URL, forward nothing"],
  ["--print-secret", "print the secret with which the deliveries are signed, and exit"],
  ["--relay <name>", "name of the relay (default: named after this machine and the URL)"],
]);

type Flags = ConnectionFlags & FlagsOf<typeof own>;

export const listenCommand = (): Command =>
  withFlags(
    topCommand(
      "listen",
      [
        "standin listen http://127.0.0.1:3000/webhooks",
        "standin listen http://127.0.0.1:3000/webhooks --events payout.paid,payout.failed",
        "standin listen http://127.0.0.1:3000 --route 'payout.*=/payouts' --route '*=/hooks'",
        "standin listen --print",
        "WEBHOOK_SECRET=$(standin listen --print-secret) npm start",
        "standin listen http://127.0.0.1:3000/webhooks --json | jq .status",
      ],
      notes,
    ).argument(
      "[url]",
      "URL of your webhook receiver; localhost:3000/webhooks and 3000 are short for one of this machine",
    ),
    own,
    ...controlOptions("print one line of JSON at the start and for each attempt"),
  ).action(listen);

async function listen(given: string | undefined, flags: Flags): Promise<void> {
  const isOptional = flags.print || flags.printSecret;
  const url = given === undefined && isOptional ? undefined : receiverUrl(given ?? "");
  const { relay = relayNameFor(url ?? null), events = null, forwardOnly = null, print = false } = flags;
  if (relayNameOf(`relay:${relay}`) === null)
    throw new UsageError("--relay must be 1 to 64 letters, digits, dots, hyphens and underscores");
  checkNames("--events", "event", events ?? [], [...eventKinds, "*"]);
  checkNames("--forward-only", "event", forwardOnly ?? [], [...eventKinds, "*"]);
  if (flags.printSecret) return printSecret(flags, relay);
  const api = connect(flags);
  const stop = stopController();
  const { signal } = stop;
  const registering = ListenerEndpoint.register(api, relay, events);
  const endpoint = await withProgress(`the sandbox at ${api.baseUrl}`, registering);
  if (url !== undefined && (await endpoint.isRegisteredDirectly(url)))
    printError(`${url} is registered on the account as well, so that it gets every event twice`);
  const { route: routes = [], where = [] } = flags;
  const forwarding = { url: url ?? null, only: forwardOnly, routes, where, prints: print };
  const show = (attempt: RelayedAttempt) => printResult(flags, attempt, formatAttempt);
  const forwarder = new RelayForwarder(forwarding, show);
  const client = new SandboxClient(connectionOf(flags));
  const keyboard = !flags.json && hasKeyboard();
  const listener = listenerFor(client, endpoint, forwarder, signal, () =>
    printResult(flags, summarise(endpoint, url ?? null), (summary) =>
      formatSummary(api.key, summary, keyboard),
    ),
  );
  const restoreTerminal = keyboard ? onKeys(keysFor(api, forwarder, () => stop.abort())) : () => {};
  await listener
    .run()
    .catch((error: unknown) => {
      throw toCommandError(error, api.baseUrl);
    })
    .finally(restoreTerminal);
  await stopListening(listener, endpoint, api.baseUrl);
  await forwarder.close();
}

async function printSecret(flags: Flags, relay: string): Promise<void> {
  const api = connect(flags);
  const own = (await endpointsOf(api)).find(({ url }) => url === `relay:${relay}`)?.secret;
  const secret = own ?? (await secretOfAccount(api, relay));
  printResult(flags, { secret }, () => secret);
}

/** Returns the account's secret. Throws if each endpoint has its own secret, since the relay's secret is then unknown. */
async function secretOfAccount(api: SandboxClient, relay: string): Promise<string> {
  const { value: assumptions } = await api.call("listAssumptions");
  const isOwn = assumptions.items.some(({ id, value }) => id === "webhooks.secret" && value === "endpoint");
  if (isOwn)
    throw new CommandError(
      `the relay ${relay} is not registered, and each endpoint has its own secret here; standin listen prints it when it starts`,
    );
  return (await api.call("getAccount")).value.webhook_secret;
}

function listenerFor(
  client: SandboxClient,
  endpoint: ListenerEndpoint,
  forwarder: RelayForwarder,
  signal: AbortSignal,
  onReady: () => void,
): RelayListener {
  let isReady = false;
  return new RelayListener(
    {
      client,
      name: relayNameOf(endpoint.endpoint.url) as string,
      id: randomHex(12),
      answer: (request) => forwarder.answer(request),
      prepare: () => endpoint.restore(client),
      onConnected() {
        if (isReady) printError("connected again");
        else onReady();
        isReady = true;
      },
      onLost: () => printError(`the sandbox at ${client.baseUrl} has stopped answering; waiting for it`),
    },
    signal,
  );
}

async function stopListening(listener: RelayListener, endpoint: ListenerEndpoint, baseUrl: string) {
  try {
    await endpoint.remove(await listener.leave());
  } catch (error) {
    if (!(error instanceof NoSandbox || error instanceof UsageError)) throw error;
    throw new CommandError(
      `the sandbox at ${baseUrl} does not answer; the relay stays registered if the sandbox keeps its state`,
    );
  }
}

const toCommandError = (error: unknown, baseUrl: string): unknown => {
  if (error instanceof ControlError) return new CommandError(error.message);
  return error instanceof NoSandbox
    ? new UsageError(`no sandbox answers at ${baseUrl} (${error.reason})`)
    : error;
};

const summarise = ({ endpoint, previous }: ListenerEndpoint, url: string | null) => ({
  listening: true,
  url,
  relay: endpoint.url,
  endpoint_id: endpoint.id,
  events: endpoint.events,
  secret: endpoint.secret,
  registered_before: previous !== null,
});

const formatSummary = (key: string, summary: ReturnType<typeof summarise>, keyboard: boolean): string => {
  const { url, relay, events, secret, registered_before } = summary;
  const which = events.includes("*") ? "All events" : events.join(", ");
  return [
    `${which} of the account ${key} ${url === null ? "are shown" : `are sent to ${url}`} through ${relay}${registered_before ? ", which was already registered" : ""}.`,
    `Secret: ${secret} (X-Service-Signature is the hex HMAC-SHA256 of the raw body with this key)`,
    keyboard
      ? "Press r to retry the last failed delivery, p to pause, q or Ctrl+C to stop."
      : "Press Ctrl+C to stop.",
    "",
  ].join("\n");
};

/** Returns the actions of keys on a terminal. */
const keysFor = (api: CommandClient, forwarder: RelayForwarder, stop: () => void): Keys => ({
  q: stop,
  p() {
    forwarder.togglePause();
    printError(
      forwarder.isPaused
        ? `paused: attempts wait, and the sandbox resends attempts that wait longer than ${attemptTimeout / second} s; press p to go on`
        : "going on",
    );
  },
  r() {
    const { lastFailed: id } = forwarder;
    if (id === null) return printError("no delivery has failed yet");
    api.call("retryDelivery", { params: { id } }).catch((error: Error) => printError(error.message));
  },
});

/** Returns the URL of a receiver, which may be given without its scheme or, on this machine, as its port alone. */
function receiverUrl(given: string): string {
  const [, port] = /^:?(\d+(?:\/.*)?)$/.exec(given) ?? [];
  const url = given.includes("://") ? given : `http://${port === undefined ? given : `127.0.0.1:${port}`}`;
  if (isDeliverable(url)) return url;
  throw new UsageError(
    `the URL must be an http or https URL without user name, password and spaces, such as http://127.0.0.1:3000/webhooks; got ${toOneLine(given)}`,
  );
}

/** Actions by key. Ctrl+C keeps its meaning. */
type Keys = Readonly<Record<string, () => void>>;

/** Returns whether this process may read the terminal: a process in the background would be stopped. */
function isInForeground(): boolean {
  const { stdout } = spawnSync("ps", ["-o", "pgid=,tpgid=", "-p", String(process.pid)], { encoding: "utf8" });
  const [group, foreground] = (stdout ?? "").trim().split(/\s+/);
  return group !== undefined && group === foreground;
}

/** Returns whether somebody can press keys. */
const hasKeyboard = (): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && isInForeground();

/** Calls the actions of pressed keys. Returns a function that stops this and restores the terminal. */
function onKeys(keys: Keys): () => void {
  const { stdin } = process;
  const react = (chunk: Buffer) => {
    for (const key of chunk.toString("utf8")) {
      if (key === "\u0003") process.kill(process.pid, "SIGINT");
      else keys[key.toLowerCase()]?.();
    }
  };
  stdin.setRawMode(true);
  stdin.resume().on("data", react);
  return () => {
    stdin.setRawMode(false);
    stdin.off("data", react).pause();
  };
}
