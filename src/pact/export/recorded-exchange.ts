/** An entry of the request journal as one exchange with an operation: what went in and what came out, read. */
import { type AnyOperation, isBinary, pathOf, successStatus } from "../../contract/operation.js";
import { defaultOutcome } from "../../rules/outcomes.js";
import { isObject } from "../../world/json.js";
import type { JournalEntry } from "../../world/request-journal.js";
import type { Seen } from "../provider-states/state-selectors.js";

export interface Exchange extends Seen {
  operation: AnyOperation;
  entry: JournalEntry;
  params: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** The exchanges of a journal, oldest first, and what of it is none. */
export function readJournal(
  entries: readonly JournalEntry[],
  operations: readonly AnyOperation[],
): { exchanges: Exchange[]; leftOut: string[] } {
  const before = new Set<string>();
  const exchanges: Exchange[] = [];
  const leftOut: string[] = [];
  for (const entry of entries) {
    const operation = operations.find(({ id }) => id === entry.operation);
    const why = operation ? whyNot(entry, operation) : "no operation answered it";
    if (!operation || why !== null) {
      leftOut.push(`a ${entry.operation ?? entry.method} that answers ${entry.status ?? "nothing"}: ${why}`);
      continue;
    }
    const request = [entry.operation, entry.path, entry.body, entry.status].join(" ");
    exchanges.push(toExchange(entry, operation, before.has(request)));
    before.add(request);
  }
  return { exchanges, leftOut };
}

/** Null: it can be an interaction. */
function whyNot(entry: JournalEntry, operation: AnyOperation): string | null {
  if (entry.fault !== null) return `it went wrong on the wire (${entry.fault})`;
  if (entry.error_code === "unknown_outcome") return "it asked the sandbox for an outcome that there is not";
  if (operation.upload) return "the journal does not keep files and form fields";
  const isFile = entry.error_code === null && Object.values(operation.reply).some(isBinary);
  if (entry.status === null || (entry.reply === null && !isFile))
    return "the journal does not have its reply";
  const isOptional = operation.bodyOptional && !entry.body;
  return operation.body && !isOptional && toFields(entry.body) === null
    ? "the journal does not have its body, or it is no JSON object"
    : null;
}

function toExchange(entry: JournalEntry, operation: AnyOperation, again: boolean): Exchange {
  const { pathname, searchParams } = new URL(entry.path, "http://service");
  return {
    operation,
    entry,
    status: entry.status ?? successStatus(operation),
    code: entry.error_code,
    outcome: entry.outcome === defaultOutcome(operation) ? null : entry.outcome,
    params: paramsIn(pathOf(operation), pathname),
    query: Object.fromEntries(searchParams),
    body: toFields(entry.body) ?? {},
    reply: entry.reply === null ? null : JSON.parse(entry.reply),
    again,
  };
}

function toFields(text: string | null): Fields | null {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function paramsIn(template: string, path: string): Record<string, string> {
  const given = path.split("/");
  const named = template.split("/").map((part, index) => [part, given[index] ?? ""] as const);
  return Object.fromEntries(
    named.filter(([part]) => part.startsWith("{")).map(([part, value]) => [part.slice(1, -1), value]),
  );
}
