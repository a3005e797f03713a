/**
 * Relays: attempts to `relay:<name>` go to a listener, a program of the tester's that holds a connection to the sandbox,
 * posts them where it runs and returns the answers. Several listeners of one name take turns.
 */
import * as Type from "typebox";
import { formatServerEvent } from "../../contract/reply-forms.js";
import { afterTick, minute, second, type Timer, timer } from "../../time/time.js";

/** The stream to a listener. */
export interface RelayStream {
  write(text: string): unknown;
  end(): unknown;
}

/** Answer of a listener: that of the receiver, or why there is none. */
export const RelayAnswer = Type.Object({
  status: Type.Union([Type.Integer(), Type.Null()], { description: "Null if the receiver did not answer" }),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String({ description: "The first 4 KB" }),
  error: Type.Union([Type.String(), Type.Null()], { description: "Why the receiver did not answer" }),
  duration_ms: Type.Optional(Type.Integer({ minimum: 0, description: "Time that the receiver took, in ms" })),
});
export type RelayAnswer = Type.Static<typeof RelayAnswer>;

const maxSendingMs = 1 * minute;
const Milliseconds = Type.Integer({ minimum: 0, maximum: maxSendingMs });

/** How a listener sends a request that is not a delivery: slowly, or on a connection that it closes early. */
export const RelaySending = Type.Object({
  timeout: Type.Integer({
    minimum: 1,
    maximum: maxSendingMs,
    description: "Time limit for the answer, in ms",
  }),
  method: Type.Optional(Type.Enum(["GET", "POST"], { description: "Default POST" })),
  pieces: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "Number of pieces of the body" }),
  ),
  pause: Type.Optional({ ...Milliseconds, description: "Pause after each piece, in ms" }),
  readAfter: Type.Optional({ ...Milliseconds, description: "Pause before the answer is read, in ms" }),
  hangUp: Type.Optional(
    Type.Literal(true, { description: "Closes the connection once the request is sent" }),
  ),
  connectOnly: Type.Optional(Type.Literal(true, { description: "Opens a connection and sends nothing" })),
});
export type RelaySending = Type.Static<typeof RelaySending>;

export interface PendingRelay {
  readonly answer: Promise<RelayAnswer>;
  /** Rejects the answer, unless it has already arrived. */
  cancel(error: Error): void;
}

/** Time in ms of wall-clock time in which a listener may reconnect before its requests count as unanswered. */
const reconnectGraceMs = 5 * second;

/** Rejects a request that no listener can answer. */
class NotRelayed extends Error {}

interface Outstanding {
  id: string;
  message: object;
  resolve(answer: RelayAnswer): void;
  reject(error: Error): void;
}

class Listener {
  /** Null while it is disconnected. */
  stream: RelayStream | null = null;
  /** Requests that it was sent and has not answered, by id. */
  readonly outstanding = new Map<string, Outstanding>();
  leaving: Timer | null = null;
  #text = "";

  /** Batches everything sent in one tick into one write. */
  send({ id, message }: Outstanding): void {
    if (this.#text === "") afterTick(() => this.#flush());
    this.#text += formatServerEvent("request", { id, ...message }, id);
  }

  #flush(): void {
    this.stream?.write(this.#text);
    this.#text = "";
  }
}

class Relay {
  /** Listeners in the order in which they take turns. */
  readonly listeners = new Map<string, Listener>();
  /** Requests that arrived while every listener was disconnected. */
  readonly waiting = new Map<string, Outstanding>();

  constructor(readonly name: string) {}

  /** Hands a request to the next listener that is connected. Returns false if none can be expected to come back. */
  assign(request: Outstanding): boolean {
    for (const [id, listener] of this.listeners) {
      if (!listener.stream) continue;
      this.listeners.delete(id);
      this.listeners.set(id, listener);
      listener.outstanding.set(request.id, request);
      listener.send(request);
      return true;
    }
    if (this.listeners.size > 0) this.waiting.set(request.id, request);
    return this.listeners.size > 0;
  }

  forget(id: string): void {
    this.waiting.delete(id);
    for (const { outstanding } of this.listeners.values()) outstanding.delete(id);
  }

  /** Removes a listener. Its unanswered requests fail, since it may already have posted them. */
  remove(id: string): void {
    const listener = this.listeners.get(id);
    this.listeners.delete(id);
    listener?.leaving?.cancel();
    for (const { reject } of listener?.outstanding.values() ?? [])
      reject(new NotRelayed(`the listener of relay:${this.name} disconnected before it answered`));
    if (this.listeners.size > 0) return;
    for (const { reject } of this.waiting.values()) reject(nobodyListens(this.name));
    this.waiting.clear();
  }
}

const nobodyListens = (name: string): NotRelayed =>
  new NotRelayed(
    `no listener is connected to relay:${name}; connect one with "standin listen URL --relay ${name}"`,
  );

export class RelayHub {
  readonly #relays = new Map<string, Relay>();
  #count = 0;

  /** Connects a listener, or connects it again. Returns a function to call when its stream has closed. */
  connect(account: string, name: string, listenerId: string, stream: RelayStream): () => void {
    const relay = this.#open(account, name);
    const listener = relay.listeners.get(listenerId) ?? new Listener();
    relay.listeners.set(listenerId, listener);
    listener.leaving?.cancel();
    listener.stream?.end();
    listener.stream = stream;
    // The listener recognises requests that it already has by their ids.
    for (const request of listener.outstanding.values()) listener.send(request);
    const waiting = [...relay.waiting.values()];
    relay.waiting.clear();
    for (const request of waiting) relay.assign(request);
    return () => {
      if (listener.stream !== stream) return;
      listener.stream = null;
      listener.leaving = timer(reconnectGraceMs, () => this.leave(account, name, listenerId));
    };
  }

  /** Accepts answers of a listener. Answers to requests that are no longer pending are ignored. */
  answer(
    account: string,
    name: string,
    listenerId: string,
    answers: readonly (RelayAnswer & { id: string })[],
  ): void {
    const listener = this.#get(account, name)?.listeners.get(listenerId);
    for (const { id, ...answer } of answers) {
      listener?.outstanding.get(id)?.resolve(answer);
      listener?.outstanding.delete(id);
    }
  }

  /** Removes a listener immediately. Returns the number of remaining listeners. */
  leave(account: string, name: string, listenerId: string): number {
    const relay = this.#get(account, name);
    if (!relay) return 0;
    relay.remove(listenerId);
    if (relay.listeners.size === 0) this.#relays.delete(keyOf(account, name));
    return relay.listeners.size;
  }

  /** Returns the number of listeners that are connected. */
  connected(account: string, name: string): number {
    const listeners = [...(this.#get(account, name)?.listeners.values() ?? [])];
    return listeners.filter(({ stream }) => stream !== null).length;
  }

  /** Sends a request through the relay. */
  post(account: string, name: string, message: object): PendingRelay {
    const relay = this.#get(account, name);
    const id = String(++this.#count);
    let cancel: (error: Error) => void = () => {};
    const answer = new Promise<RelayAnswer>((resolve, reject) => {
      cancel = (error) => {
        relay?.forget(id);
        reject(error);
      };
      if (!relay?.assign({ id, message, resolve, reject })) reject(nobodyListens(name));
    });
    return { answer, cancel };
  }

  #get(account: string, name: string): Relay | undefined {
    return this.#relays.get(keyOf(account, name));
  }

  #open(account: string, name: string): Relay {
    const relay = this.#get(account, name) ?? new Relay(name);
    this.#relays.set(keyOf(account, name), relay);
    return relay;
  }
}

const keyOf = (account: string, name: string): string => `${account} ${name}`;
