/** Reads entries of the request journal as exchanges with operations. */
import { parseObject } from "../../contract/json.js";
import { type AnyOperation, successStatus } from "../../contract/operation.js";
import { isBinary } from "../../contract/reply-forms.js";
import { defaultOutcome } from "../../rules/outcomes.js";
import { type RecordedCall, readJournalEntry } from "../../scenarios/record/session-log.js";
import type { JournalEntry } from "../../world/activity/request-journal.js";
import { type ObservedExchange, type RequiredState, replyField } from "../provider-states/required-states.js";
import type { ExportedInteraction } from "./pact-document.js";

export interface RecordedExchange extends ObservedExchange {
  operation: AnyOperation;
  entry: JournalEntry;
  params: Readonly<Record<string, string>>;
}

/** Expects the entries oldest first. `leftOut` says why the others cannot become interactions. */
export function readExchanges(
  entries: readonly JournalEntry[],
  operations: readonly AnyOperation[],
): { exchanges: RecordedExchange[]; leftOut: string[] } {
  const seen = new Set<string>();
  const exchanges: RecordedExchange[] = [];
  const leftOut: string[] = [];
  for (const entry of entries) {
    const recorded = readJournalEntry(entry, operations);
    const obstacle = recorded ? findObstacle(entry, recorded.operation) : "no operation answered it";
    if (!recorded || obstacle !== null) {
      const subject = `a ${entry.operation ?? entry.method} that answers ${entry.status ?? "nothing"}`;
      leftOut.push(`${subject}: ${obstacle}`);
      continue;
    }
    const request = [entry.operation, entry.path, entry.body, entry.status].join(" ");
    exchanges.push(toExchange(entry, recorded, seen.has(request)));
    seen.add(request);
  }
  return { exchanges, leftOut };
}

/** Returns why an entry cannot become an interaction; null if it can. */
function findObstacle(entry: JournalEntry, operation: AnyOperation): string | null {
  if (entry.fault !== null) return `its connection was disturbed (${entry.fault})`;
  if (entry.error_code === "unknown_outcome") return "it requested an unknown outcome";
  if (operation.upload) return "the journal does not keep files and form fields";
  const isFile = entry.error_code === null && Object.values(operation.reply).some(isBinary);
  if (entry.status === null || (entry.reply === null && !isFile)) return "the journal has no reply";
  const mayOmitBody = operation.bodyOptional && !entry.body;
  return operation.body && !mayOmitBody && parseObject(entry.body) === null
    ? "its body is not in the journal or not a JSON object"
    : null;
}

function toExchange(
  entry: JournalEntry,
  { operation, params, search, body, reply = null }: RecordedCall,
  again: boolean,
): RecordedExchange {
  return {
    operation,
    entry,
    status: entry.status ?? successStatus(operation),
    code: entry.error_code,
    outcome: entry.outcome === defaultOutcome(operation) ? null : entry.outcome,
    params,
    query: Object.fromEntries(new URLSearchParams(search)),
    body: { ...body },
    reply,
    again,
  };
}

/** Returns a description such as `a checkPhoneVerification that answers 200 with verified true`. */
export function describeExchange(
  { id }: AnyOperation,
  exchange: Pick<ObservedExchange, "status" | "code" | "outcome" | "reply">,
  states: readonly RequiredState[] = [],
): string {
  const { status, code, outcome } = exchange;
  const decided = states
    .flatMap(({ decides = [] }) => decides)
    .map((name) => [name, replyField(exchange, name)])
    .filter(([, value]) => code === null && value !== null && value !== undefined)
    .map((field) => field.join(" "));
  const answer = [
    status,
    code,
    outcome !== null && outcome !== code && `(${outcome})`,
    decided.length > 0 && `with ${decided.join(" and ")}`,
  ];
  return `a ${id} that answers ${answer.filter(Boolean).join(" ")}`;
}

type Describe = (interaction: ExportedInteraction) => string;

const describeStates: Describe = ({ providerStates }) =>
  `given ${providerStates.map(({ name }) => name).join(" and ") || "nothing"}`;

const describeFields: Describe = ({ request: { body, query } }) => {
  const sent = [...Object.keys((body?.content ?? {}) as object), ...Object.keys(query ?? {})];
  return sent.length > 0 ? `with ${sent.join(", ")}` : "with nothing";
};

/** Makes descriptions unique: many tools keep only the last of several interactions with one description and one set of states. */
export function withUniqueDescriptions(interactions: readonly ExportedInteraction[]): ExportedInteraction[] {
  const groups = new Map<string, ExportedInteraction[]>();
  for (const interaction of interactions)
    groups.set(interaction.description, [...(groups.get(interaction.description) ?? []), interaction]);
  return interactions.map((interaction) => {
    const group = groups.get(interaction.description) as ExportedInteraction[];
    return { ...interaction, description: describeWithin(group, interaction) };
  });
}

function describeWithin(group: readonly ExportedInteraction[], interaction: ExportedInteraction): string {
  const { description } = interaction;
  if (group.length === 1) return description;
  const describe = [describeStates, describeFields].find(
    (describe) => new Set(group.map(describe)).size === group.length,
  );
  return `${description}, ${describe?.(interaction) ?? `number ${group.indexOf(interaction) + 1}`}`;
}
