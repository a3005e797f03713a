/** Reads streams of server-sent events. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { SandboxClient } from "./client.js";

export interface StreamEvent {
  /** `activity`, `clock` or `gap`. */
  readonly event: string;
  readonly data: unknown;
  /** Continues the stream after this event. Empty for events of the clock. */
  readonly id: string;
}

export interface StreamOptions {
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Id of the last event that was read. Default: start with new events. */
  lastEventId?: string | undefined;
}

/** Yields what happens to the account until the sandbox stops or `signal` aborts. Rejects when it is refused or cannot be reached. */
export async function* readActivity(
  client: SandboxClient,
  { signal, lastEventId }: StreamOptions = {},
): AsyncGenerator<StreamEvent> {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
  yield* readEvents(await client.stream("streamActivity", { headers, signal }), signal);
}

/** Yields the events of a stream until it ends or `signal` aborts. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent> {
  // Read one by one, since not every browser can iterate over a stream.
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { event = "message", data, id = "" } = next.value;
      yield { event, data: JSON.parse(data), id };
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    reader.cancel().catch(() => {});
  }
}
