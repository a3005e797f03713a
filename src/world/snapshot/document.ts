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
    if (isMap(key, value, depth)) members.set(key, yield* toMap(value, depth + 1));
    else members.set(key, depth === recordsDepth ? new DocumentRecord(value) : value);
    yield;
  }
  return members;
}

/** Returns whether the value of a member at this depth is kept as a map. */
const isMap = (key: string, value: unknown, depth: number): value is object =>
  isObject(value) && (depth === 0 ? key === stateMember : depth < recordsDepth);

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
