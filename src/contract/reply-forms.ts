/** Forms of replies: JSON that follows a schema, a file, preformatted JSON text, or a stream. */
import type { TSchema } from "typebox";

/** A reply that is not JSON, such as a converted file. */
export interface BinaryReply {
  contentType: string;
  description?: string;
  /** Descriptions of headers in addition to the headers of every reply, by name. */
  headers?: Readonly<Record<string, string>>;
}
export type ReplySchema = TSchema | BinaryReply;
export type ReplySchemas = Readonly<Record<number, ReplySchema>>;

/** A reply with an explicit status, for operations that have several. */
export class Answer<T> {
  constructor(
    readonly status: number,
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

export class Binary {
  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
    readonly filename: string | null = null,
  ) {}
}

/** A reply that is already JSON text, such as a large reply formatted over several turns of the event loop. */
export class JsonText {
  /** `pieces` are the text in UTF-8. */
  constructor(readonly pieces: readonly Uint8Array[]) {}

  toJSON(): unknown {
    const decoder = new TextDecoder();
    const texts = this.pieces.map((piece) => decoder.decode(piece, { stream: true }));
    return JSON.parse(texts.join("") + decoder.decode());
  }
}

/** Target of a stream: a Node response, described without Node's types. */
export interface StreamTarget {
  /** Returns false while the reader is behind. The event `drain` signals that it has caught up. */
  write(text: string): boolean;
  end(): unknown;
  on(event: "drain" | "close", listener: () => void): unknown;
}

/** Formats a server-sent event with JSON as its data. */
export const formatServerEvent = (event: string, data: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** A reply that continues until the client disconnects or the sandbox stops. */
export class Stream {
  constructor(
    readonly contentType: string,
    /** Writes to the response, and ends it if the stream is finite. */
    readonly start: (response: StreamTarget) => void,
  ) {}
}

/** Statuses whose replies have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const statusesWithoutContent: readonly number[] = [204, 205, 304];

/** Statuses of redirects that `fetch` follows. */
export const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/** Returns whether a request has succeeded. Its status is null if it got no answer. */
export const isSuccessStatus = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** Statuses of an outage, which say nothing about the contract. */
const outages: readonly number[] = [502, 503, 504];

export const isOutage = (status: number): boolean => outages.includes(status);

export const isBinary = (reply: ReplySchema): reply is BinaryReply => "contentType" in reply;
