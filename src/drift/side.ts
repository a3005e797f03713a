/** One side of a run, the service or the sandbox, as probes and checks see it, and how they ask it. */
import type { WebhookReceiver } from "./receiver.js";
import {
  CouldNotCheck,
  describeReply,
  isSuccess,
  NotTestable,
  type ReceivedReply,
  type ServiceClient,
  type ServiceReply,
  type ServiceRequest,
  valueIn,
} from "./service-client.js";

/** The verification whose code is needed, and the number that the code was sent to. */
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

/** The parts of a side that scenarios need. */
export interface PlayedSide {
  readonly service: ServiceClient;
  /** Reads the code that was sent. Null without --otp-cmd. */
  readonly readCode: ((request: CodeRequest) => Promise<string>) | null;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
}

export interface DriftSide extends PlayedSide {
  /** Phone number that codes are sent to. */
  readonly phone: string;
  /** Sends a message to a channel as a person. Null without --reply-cmd. */
  readonly answer: ((answer: PersonAnswer) => Promise<void>) | null;
  /** Null without --webhook-url. */
  readonly receiver: WebhookReceiver | null;
  /** Secret of the webhooks. Null without --webhook-secret. */
  readonly webhookSecret: string | null;
  /** How long a probe may wait for something to happen, in ms. */
  readonly waitMs: number;
  /** Time that has passed on this side, in ms. */
  now(): number;
  /** Returns a new reference that begins with `standin-drift-`. */
  reference(): string;
  /** Returns the result of the first call with this name, so that probes and checks share calls and records. */
  once<T>(name: string, ask: () => Promise<T>): Promise<T>;
}

/** Returns a function that makes each named call once, however often it is asked for. */
export function sharedCalls(): DriftSide["once"] {
  const shared = new Map<string, Promise<unknown>>();
  return <T>(name: string, ask: () => Promise<T>): Promise<T> => {
    if (!shared.has(name)) shared.set(name, ask());
    return shared.get(name) as Promise<T>;
  };
}

/** Returns the time of a side that passes only when it is asked to. */
export function countedTime(pass: DriftSide["pass"]): Pick<DriftSide, "pass" | "now"> {
  let passed = 0;
  return {
    now: () => passed,
    async pass(ms) {
      await pass(ms);
      passed += ms;
    },
  };
}

/** Returns the reply, or rejects if the service refuses a call that others depend on. */
export async function made(call: Promise<ReceivedReply>): Promise<ReceivedReply> {
  const reply = await call;
  if (!isSuccess(reply)) throw new CouldNotCheck(describeReply(reply));
  return reply;
}

/** Calls an operation. Returns the reply, or rejects if the service refuses a call that others depend on. */
export const ask = (
  { service }: Pick<DriftSide, "service">,
  id: string,
  request?: ServiceRequest,
): Promise<ReceivedReply> => made(service.call(id, request));

export function idIn(reply: ServiceReply): string {
  const id = valueIn(reply, "id");
  if (typeof id !== "string") throw new CouldNotCheck(`the reply to ${reply.operation.route} has no id`);
  return id;
}

/** Returns the function that reads sent codes. Throws NotTestable if there is none. */
export function readerOfCodes({ readCode }: Pick<DriftSide, "readCode">) {
  if (readCode) return readCode;
  throw new NotTestable("needs the code that was sent; pass --otp-cmd");
}

/** Polls until `read` returns a value or the wait is over. Returns null in that case. */
export async function poll<T>(
  { pass }: Pick<DriftSide, "pass">,
  { waitMs, intervalMs }: { waitMs: number; intervalMs: number },
  read: () => Promise<T | null>,
): Promise<T | null> {
  for (let waited = 0; ; waited += intervalMs) {
    const found = await read();
    if (found !== null || waited >= waitMs) return found;
    await pass(intervalMs);
  }
}

/** Returns the verdict on what could not be asked, with the reason. Throws any other error. */
export function verdictOn(error: unknown): {
  verdict: "not testable" | "could not check";
  reason: string;
} {
  if (error instanceof NotTestable) return { verdict: "not testable", reason: error.message };
  if (error instanceof CouldNotCheck) return { verdict: "could not check", reason: error.message };
  throw error;
}
