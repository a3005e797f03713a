/** Listens on a relay: answers the requests that the sandbox sends through it, and reconnects automatically. */

import { delay } from "../time/time.js";
import type { RelayAnswer } from "../world/webhooks/relay.js";
import type { SandboxClient } from "./client.js";
import { ControlError, readEvents } from "./client.js";

/** An attempt of a delivery, to post to the receiver. */
export interface RelayedRequest {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Description of the attempt, as the sandbox sent it. */
  readonly about: unknown;
  /** How to send it, if it is not a delivery. */
  readonly sending?: unknown;
}

export interface RelayListenerOptions {
  readonly client: SandboxClient;
  /** Name of the relay. */
  readonly name: string;
  /** Unique id of this listener. */
  readonly id: string;
  /** Posts a request to the receiver. A rejection counts as an error of the receiver. */
  answer(request: RelayedRequest): Promise<RelayAnswer>;
  /** Registers the endpoint. Called before each connection and after a reset of the account. */
  prepare(): Promise<void>;
  /** Called when the connection is established. */
  onConnected?(): void;
  /** Called when the sandbox stops answering. */
  onLost?(): void;
}

/** Wall-clock time between two attempts to reach the sandbox, in ms. */
const retryIntervalMs = 250;
/** Number of requests whose ids are remembered, so that none is posted twice. */
const maxRemembered = 10_000;
/** Size in characters up to which answers are returned together. */
const maxBatchLength = 256 * 1024;

export class RelayListener {
  readonly #handled = new Set<string>();
  /** Answers that the sandbox has not confirmed, as JSON. */
  #unsent: string[] = [];
  #isSending = false;
  #hasConnected = false;

  constructor(
    readonly options: RelayListenerOptions,
    /** Stops the listener when aborted. */
    readonly signal: AbortSignal,
  ) {}

  /** Listens until the signal aborts. Rejects if the first connection fails, or if the sandbox refuses one. */
  async run(): Promise<void> {
    const { signal } = this;
    while (!signal.aborted) {
      try {
        await this.#listen();
      } catch (error) {
        if (!signal.aborted && (!this.#hasConnected || error instanceof ControlError)) throw error;
      }
      await delay(retryIntervalMs, signal);
    }
  }

  /** Stops listening at once. Returns the number of listeners that remain. */
  async leave(): Promise<number> {
    const { client, name, id } = this.options;
    const body = { listener: id, answers: [], leave: true };
    const reply = await client.call("answerRelayed", { params: { name }, body });
    return reply.value.listeners;
  }

  /** Listens until the connection ends. */
  async #listen(): Promise<void> {
    const { client, name, id, prepare, onConnected, onLost } = this.options;
    const { signal } = this;
    await prepare();
    let isConnected = false;
    try {
      const input = { params: { name }, query: { listener: id }, signal };
      for await (const { event, data } of readEvents(await client.stream("streamRelay", input), signal)) {
        if (event === "request") this.#take(data as RelayedRequest);
        if (event === "reset") await prepare();
        if (event !== "connected") continue;
        this.#hasConnected = true;
        isConnected = true;
        onConnected?.();
      }
    } finally {
      if (isConnected && !this.signal.aborted) onLost?.();
    }
  }

  /** Posts a request unless it was already posted: the sandbox resends requests that have no answer yet. */
  #take(request: RelayedRequest): void {
    const { id } = request;
    if (this.#handled.has(id)) return;
    this.#handled.add(id);
    const [oldest] = this.#handled;
    if (this.#handled.size > maxRemembered && oldest !== undefined) this.#handled.delete(oldest);
    const answering = this.options
      .answer(request)
      .catch((error: Error) => ({ status: null, headers: {}, body: "", error: error.message }));
    void answering.then((answer: RelayAnswer) => {
      this.#unsent.push(JSON.stringify({ id, ...answer }));
      if (!this.#isSending) void this.#send();
    });
  }

  /** Sends answers in batches: answers that arrive while a batch is in flight wait for the next one. */
  async #send(): Promise<void> {
    this.#isSending = true;
    const { client, name, id } = this.options;
    while (this.#unsent.length > 0 && !this.signal.aborted) {
      const batch = takeBatch(this.#unsent);
      const body = `{"listener":${JSON.stringify(id)},"answers":[${batch.join(",")}]}`;
      try {
        await client.call("answerRelayed", { params: { name }, body });
        this.#unsent = this.#unsent.slice(batch.length);
      } catch (error) {
        // An answer that the sandbox refuses would be refused again.
        if (error instanceof ControlError) this.#unsent = this.#unsent.slice(batch.length);
        else await delay(retryIntervalMs, this.signal);
      }
    }
    this.#isSending = false;
  }
}

function takeBatch(answers: readonly string[]): string[] {
  let length = 0;
  const end = answers.findIndex((answer, index) => {
    length += answer.length;
    return index > 0 && length > maxBatchLength;
  });
  return answers.slice(0, end === -1 ? undefined : end);
}
