/** A probe: the fewest calls that tell the values of an assumption apart. */
import type { Group } from "../groups.js";
import type { WebhookReceiver } from "../receiver.js";
import type { ServiceClient, ServiceReply } from "../service-client.js";

/** Which value the service has, and the replies that show it. */
export interface ProbeObservation<Value extends string> {
  /** Null if the service behaves like none of the values. */
  readonly value: Value | null;
  readonly replies: readonly ServiceReply[];
  /** Facts that the replies' statuses do not show. Contains no values of requests or replies. */
  readonly note?: string;
}

export interface Probe<Value extends string = string> {
  readonly group: Group;
  /** Maximum number of calls. */
  readonly calls: number;
  /** Maximum number of charged calls, by key of fixtures/prices.json. */
  readonly charges?: Readonly<Record<string, number>>;
  /** Shortest wait of a run that makes it testable, in ms. */
  readonly minWaitMs?: number;
  /** Rejects with NotTestable or CouldNotCheck if the service cannot be asked. */
  observe(context: ProbeContext): Promise<ProbeObservation<Value>>;
}

/** The verification whose code a probe needs, and the number that the code was sent to. */
export interface CodeRequest {
  /** Id of the verification. */
  readonly id: string;
  readonly to: string;
}

export interface PersonAnswer {
  readonly channel: string;
  readonly from: string;
  readonly text: string;
}

export interface ProbeContext {
  readonly service: ServiceClient;
  /** Phone number that codes are sent to. */
  readonly phone: string;
  /** Reads the code that was sent. Null without --otp-cmd. */
  readonly readCode: ((request: CodeRequest) => Promise<string>) | null;
  /** Sends a message to a channel as a person. Null without --reply-cmd. */
  readonly answer: ((answer: PersonAnswer) => Promise<void>) | null;
  /** Null without --webhook-url. */
  readonly receiver: WebhookReceiver | null;
  /** How long a probe may wait for something to happen, in ms. */
  readonly waitMs: number;
  sleep(ms: number): Promise<void>;
  /** Returns a new reference that begins with `standin-drift-`. */
  reference(): string;
  /** Returns the result of the first call with this name, so that probes share calls. */
  once<T>(name: string, ask: () => Promise<T>): Promise<T>;
}

/** Polls until `read` returns a value or the wait is over. Returns null in that case. */
export async function poll<T>(
  { waitMs, sleep }: Pick<ProbeContext, "waitMs" | "sleep">,
  intervalMs: number,
  read: () => Promise<T | null>,
): Promise<T | null> {
  for (let waited = 0; ; waited += intervalMs) {
    const found = await read();
    if (found !== null || waited >= waitMs) return found;
    await sleep(intervalMs);
  }
}
