/**
 * A snapshot's document as maps, which can be iterated lazily, whereas the members of an object would all be listed
 * first: the document's members, in `state` the tables, and in each table the records.
 */
import { isObject } from "../../contract/json.js";
import { inTurns } from "../../time/turns.js";

export type SnapshotDocument = ReadonlyMap<string, unknown>;

/** Name of the member that holds the tables. */
export const stateMember = "state";
/** Depth of the maps of records in a document. */
const recordsDepth = 2;

/** A record of a document. Its JSON text is made once: for the checksum first, and then for the store. */
export class DocumentRecord<T = unknown> {
  #text: string | undefined;

  constructor(readonly value: T) {}

  get text(): string {
    this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }
}

/** Returns the body of a request as a document: it is one unless another parser read it, such as a host application's. */
export const documentOf = (body: object): SnapshotDocument | Promise<SnapshotDocument> =>
  body instanceof Map ? body : inTurns(toMap(body, 0));

function* toMap(object: object, depth: number): Generator<void, Map<string, unknown>> {
  const members = new Map<string, unknown>();
  for (const [key, value] of Object.entries(object)) {
    const isMap = isObject(value) && isKeptAsMap(key, depth);
    members.set(key, isMap ? yield* toMap(value, depth + 1) : toMember(value, depth));
    yield;
  }
  return members;
}

/** Returns whether an object is kept as a map that is a member of this name, at this depth of the document. */
export const isKeptAsMap = (key: string, depth: number): boolean =>
  depth === 0 ? key === stateMember : depth < recordsDepth;

/** Returns any other member at this depth as it is kept. */
export const toMember = (value: unknown, depth: number): unknown =>
  depth === recordsDepth ? new DocumentRecord(value) : value;

/** Yields the JSON text of a document, or of a part of it, one record at a time. */
export function* documentText(members: ReadonlyMap<string, unknown>): Generator<string> {
  let lead = "{";
  for (const [key, value] of members) {
    yield `${lead}${JSON.stringify(key)}:`;
    if (value instanceof Map) yield* documentText(value);
    else if (value instanceof DocumentRecord) yield value.text;
    else yield JSON.stringify(value);
    lead = ",";
  }
  yield members.size === 0 ? "{}" : "}";
}
