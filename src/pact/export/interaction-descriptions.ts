/** What interactions are called: by operation and answer, and by what tells them apart where that is the same. */
import type { AnyOperation } from "../../contract/operation.js";
import { fieldOf, type Need, type Seen } from "../provider-states/state-selectors.js";
import type { PactInteraction } from "./pact-document.js";

type Answered = Pick<Seen, "status" | "code" | "outcome" | "reply">;

/** Such as `a checkPhoneVerification that answers 200 with verified true`. */
export function say({ id }: AnyOperation, seen: Answered, needs: readonly Need[] = []): string {
  const { status, code, outcome } = seen;
  const decided = needs
    .flatMap(({ decides = [] }) => decides)
    .map((name) => [name, fieldOf(seen, name)])
    .filter(([, value]) => code === null && value !== null && value !== undefined)
    .map((field) => field.join(" "));
  const how = [
    status,
    code,
    outcome !== null && outcome !== code && `(${outcome})`,
    decided.length > 0 && `with ${decided.join(" and ")}`,
  ];
  return `a ${id} that answers ${how.filter(Boolean).join(" ")}`;
}

type Tell = (interaction: PactInteraction) => string;

const states: Tell = ({ providerStates }) =>
  `given ${providerStates.map(({ name }) => name).join(" and ") || "nothing"}`;

const fields: Tell = ({ request: { body, query } }) => {
  const sent = [...Object.keys((body?.content ?? {}) as object), ...Object.keys(query ?? {})];
  return sent.length > 0 ? `with ${sent.join(", ")}` : "with nothing";
};

/** Interactions of the same name and states are one to many tools: the later one would take the other's place. */
export function distinctly(interactions: readonly PactInteraction[]): PactInteraction[] {
  const groups = new Map<string, PactInteraction[]>();
  for (const interaction of interactions)
    groups.set(interaction.description, [...(groups.get(interaction.description) ?? []), interaction]);
  return interactions.map((interaction) => {
    const group = groups.get(interaction.description) as PactInteraction[];
    return { ...interaction, description: nameIn(group, interaction) };
  });
}

function nameIn(group: readonly PactInteraction[], interaction: PactInteraction): string {
  const { description } = interaction;
  if (group.length === 1) return description;
  const tell = [states, fields].find((one) => new Set(group.map(one)).size === group.length);
  return `${description}, ${tell?.(interaction) ?? `number ${group.indexOf(interaction) + 1}`}`;
}
