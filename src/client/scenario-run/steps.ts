/** Runs each kind of step of a scenario, through the service's API and the control API. */

import { formatTarget } from "../../contract/route.js";
import { type ControlCall, type StepKind, type StepOf, stepCalls } from "../../scenarios/steps.js";
import { delay, stopwatch } from "../../time/time.js";
import type { AccountClient } from "../account/account-client.js";
import type { DeliveryEntry, EventEntry, EventKind } from "../account/types.js";
import type { CallId, ClientOptions } from "../client.js";
import { openReceiver, type ReceivedWebhook, type ScenarioReceiver } from "./receiver.js";

export interface StepContext {
  account: AccountClient;
  /** The connection of the account. */
  connection: ClientOptions;
  readFixture(name: string): Promise<Uint8Array>;
  /** Values that steps can refer to. */
  scope: Record<string, unknown>;
  /** Ids of the events that earlier steps have seen. */
  seen: Set<string>;
  /** Webhooks that belong to those events. */
  claimed: Set<ReceivedWebhook>;
  /** Receivers that the steps have opened. */
  receivers: ScenarioReceiver[];
}

export interface StepOutcome {
  /** Value to compare with the expectation. */
  actual: unknown;
  /** Value that later steps find under the step's name. Default: `actual`. */
  captured?: unknown;
  /** Differences, if the step compares by itself. */
  problems?: string[];
}

/** Compares a value with the step's expectation and returns the differences. */
export type Compare = (actual: unknown) => string[];

/** Thrown when a step cannot be carried out. */
export class StepFailure extends Error {}

type StepRunner<K extends StepKind> = (
  context: StepContext,
  step: StepOf<K>,
  compare: Compare,
) => Promise<StepOutcome>;

const outcomeOf = async (actual: Promise<unknown>): Promise<StepOutcome> => ({ actual: await actual });

/** Runs a step that is one call of the control API. */
const calling =
  <Step>(toCall: (step: Step) => ControlCall) =>
  ({ account }: StepContext, step: Step): Promise<StepOutcome> => {
    const { id, ...input } = toCall(step);
    // The schema of scenarios has checked what the operation takes.
    return outcomeOf(account.call(id as CallId, input as never));
  };

export const stepRunners: { [K in StepKind]: StepRunner<K> } = {
  call: runCallStep,
  webhook: runWebhookStep,

  advance: calling(stepCalls.advance),
  reply: calling(stepCalls.reply),
  move: calling(stepCalls.move),
  record: calling(stepCalls.record),
  pay: calling(stepCalls.pay),
  visit: calling(stepCalls.visit),

  async receive({ connection, receivers }, { receive: { answers = [204], events } }) {
    const name = `scenario-${receivers.length + 1}`;
    const receiver = await openReceiver(connection, name, answers, events);
    receivers.push(receiver);
    return { actual: receiver.endpoint };
  },

  inbox: ({ account }, { inbox }) =>
    outcomeOf(account.inbox.wait(inbox as Parameters<typeof account.inbox.wait>[0])),

  control({ account }, { control, body }) {
    const [method = "", path = ""] = control.split(" ");
    return outcomeOf(account.control(method, path, body));
  },
};

type CallStep = StepOf<"call">;
type File = NonNullable<CallStep["files"]>[string];

export async function runCallStep(context: StepContext, step: CallStep): Promise<StepOutcome> {
  const { account } = context;
  const [method = "", path = ""] = step.call.split(" ");
  const headers = toHeaders(step.headers ?? {});
  if (step.session) {
    const { token } = await account.call("createSessionToken");
    headers.set("Authorization", `Bearer ${token}`);
  }
  const body = await bodyOf(context, step, headers);
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  try {
    const response = await account.fetch(formatTarget(path, { ...step.query }), init);
    const reply = await read(response);
    return {
      actual: { status: response.status, headers: Object.fromEntries(response.headers), body: reply },
      captured: reply,
    };
  } catch (error) {
    const { cause, message } = error as { cause?: NodeJS.ErrnoException; message: string };
    return { actual: { failure: cause?.code ?? cause?.message ?? message } };
  }
}

/** Throws a StepFailure that names the header that HTTP cannot carry. */
function toHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.append(name, value);
    } catch {
      const what = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
      throw new StepFailure(
        `the header ${what} cannot be sent: a name has only letters, digits and hyphens, and a value has no line breaks and no characters beyond Latin-1`,
      );
    }
  }
  return headers;
}

async function bodyOf(
  context: StepContext,
  { body, files }: CallStep,
  headers: Headers,
): Promise<string | FormData | undefined> {
  if (!files) {
    if (body === undefined) return undefined;
    headers.set("Content-Type", "application/json");
    return JSON.stringify(body);
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  for (const [field, file] of Object.entries(files)) {
    form.set(field, new Blob([(await bytesOf(context, file)) as Uint8Array<ArrayBuffer>]), file.name);
  }
  return form;
}

async function bytesOf(
  { readFixture }: StepContext,
  { name, fixture, text, base64 }: File,
): Promise<Uint8Array> {
  if (text !== undefined) return Buffer.from(text);
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (fixture === undefined) throw new StepFailure(`the file ${name} needs one of fixture, text and base64`);
  return readFixture(fixture).catch((error: Error) => {
    throw new StepFailure(error.message);
  });
}

/** Returns the parsed JSON, or the size and type of a file. */
async function read(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json")) return response.json();
  const bytes = await response.arrayBuffer();
  return { type, size: bytes.byteLength };
}

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
      for (const receipt of webhooks) claimed.add(receipt);
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

/** Returns the webhooks that receivers got of these deliveries, one per attempt: events of the same instant may have the same bytes. */
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
