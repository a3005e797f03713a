/** Describes interactions by operation and answer, adding states or fields where that is ambiguous. */
import type { AnyOperation } from "../../contract/operation.js";
import { type ObservedExchange, type RequiredState, replyField } from "../provider-states/required-states.js";
import type { ExportedInteraction } from "./pact-document.js";

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
    (one) => new Set(group.map(one)).size === group.length,
  );
  return `${description}, ${describe?.(interaction) ?? `number ${group.indexOf(interaction) + 1}`}`;
}
