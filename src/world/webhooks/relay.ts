/**
 * Relays: attempts to `relay:<name>` go to a listener, a program of the tester that is connected to the sandbox, posts
 * them from its own machine and returns the answers. Several listeners with the same name take turns.
 */
import * as Type from "typebox";
import { formatServerEvent, type StreamTarget } from "../../contract/reply-forms.js";
import { afterTick, minute, second, type Timer, timer } from "../../time/time.js";
import { Total, usualLimit } from "../store/total.js";

/** Answer of a listener: what the receiver answered, or why there is no answer. */
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

/** Wall-clock time, in ms, within which a listener may reconnect before its requests count as unanswered. */
const reconnectGraceMs = 5 * second;

/** Error of a request that no listener can answer. */
class NotRelayed extends Error {}

/** Number of copies of a request's text in memory: as it was sent, parsed, formatted and on its way. */
const copies = 4;
/** Estimated size in bytes of a request without its text. */
const requestBytes = 2_000;

/** Requests on their way through the relays of all accounts. */
const onTheWay = new Total<(error: Error) => void>(
  "requests on their way through relays",
  usualLimit,
  (cancel) =>
    cancel(
      new NotRelayed(
        "not relayed: the requests on their way through relays, of all accounts, have reached their total, and this was the oldest",
      ),
    ),
);

interface Outstanding {
  id: string;
  /** Text that is written to a listener. */
  text: string;
  resolve(answer: RelayAnswer): void;
  reject(error: Error): void;
}

class Listener {
  /** Stream to the listener. Null while it is disconnected. */
  stream: StreamTarget | null = null;
  /** Requests that were sent to it and are unanswered, by id. */
  readonly outstanding = new Map<string, Outstanding>();
  leaving: Timer | null = null;
  /** Requests that have not been written yet, by id. */
  readonly #unsent = new Map<string, Outstanding>();
  /** Whether the stream has not yet taken what was written. */
  #isBehind = false;

  /** Continues on another stream, to which all unanswered requests are written. */
  connect(stream: StreamTarget): void {
    this.leaving?.cancel();
    this.stream?.end();
    this.stream = stream;
    this.#isBehind = false;
    this.#unsent.clear();
    stream.on("drain", () => {
      if (this.stream !== stream) return;
      this.#isBehind = false;
      this.#flush();
    });
    for (const request of this.outstanding.values()) this.send(request);
  }

  /** Writes a request at the end of this tick, or once the stream has taken what was written before. */
  send(request: Outstanding): void {
    if (this.#unsent.size === 0 && !this.#isBehind) afterTick(() => this.#flush());
    this.#unsent.set(request.id, request);
  }

  forget(id: string): void {
    this.outstanding.delete(id);
    this.#unsent.delete(id);
  }

  /** Joins short requests to one write. */
  #flush(): void {
    let text = "";
    for (const [id, request] of this.#unsent) {
      if (!this.stream || this.#isBehind) break;
      this.#unsent.delete(id);
      text += request.text;
      if (text.length < maxWriteLength) continue;
      this.#isBehind = !this.stream.write(text);
      text = "";
    }
    if (text !== "" && this.stream) this.#isBehind = !this.stream.write(text);
  }
}

/** Length in characters from which a text is written on its own. */
const maxWriteLength = 16 * 1024;

class Relay {
  /** Listeners in the order in which they take turns. */
  readonly listeners = new Map<string, Listener>();
  /** Requests that arrived while every listener was disconnected. */
  readonly waiting = new Map<string, Outstanding>();

  constructor(readonly name: string) {}

  /** Hands a request to the next listener that is connected. Returns false if no listener can be expected to reconnect. */
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
    for (const listener of this.listeners.values()) listener.forget(id);
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
  connect(account: string, name: string, listenerId: string, stream: StreamTarget): () => void {
    const relay = this.#open(account, name);
    const listener = relay.listeners.get(listenerId) ?? new Listener();
    relay.listeners.set(listenerId, listener);
    // The listener recognises requests that it already has by their ids.
    listener.connect(stream);
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
      listener?.forget(id);
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
    const text = formatServerEvent("request", { id, ...message }, id);
    const waits = new Promise<RelayAnswer>((resolve, reject) => {
      cancel = (error) => {
        relay?.forget(id);
        reject(error);
      };
      if (!relay?.assign({ id, text, resolve, reject })) reject(nobodyListens(name));
    });
    const counted = onTheWay.add(cancel, requestBytes + copies * text.length);
    const answer = waits.finally(() => onTheWay.release(counted));
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

/** Form of the name of a relay, whose URL is `relay:<name>`: 1 to 64 letters, digits, dots, hyphens and underscores. */
export const relayNamePattern = "[A-Za-z0-9._-]{1,64}";

const form = new RegExp(`^relay:(${relayNamePattern})$`);

/** Returns the name in the URL of a relay, or null for other URLs. */
export const relayNameOf = (url: string): string | null => form.exec(url)?.[1] ?? null;

/** Formats who receives the deliveries of a URL, such as `shop.example:8080` or `relay:listener`. */
export const formatReceiver = (url: string): string => (relayNameOf(url) === null ? new URL(url).host : url);
