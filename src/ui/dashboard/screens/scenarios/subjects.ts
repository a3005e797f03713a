/** What the built-in scenarios are about, by the beginning of their names. */
import type { ScenarioEntry } from "../../../../client/account/types.js";
import type { ListGroup } from "../../pieces/grouped-list.js";

/** Subjects in the order of the list. A scenario belongs to the first whose pattern its name matches. */
const subjects = [
  ["Start here", /^demo-day$/],
  ["Payments, payouts and refunds", /^(?:payment|payout|refund|card|monthly|account-number|wallet|live-key)/],
  ["Codes and messages", /^(?:phone|channel|identity)/],
  ["People, identity and addresses", /^(?:address|bank|bvn|document|licence)/],
  ["Websites, media and sessions", /^(?:website|deep|domain|media|session|plan)/],
  ["Webhooks and faults", /^(?:webhook|fault|reply)/],
  ["Others", /^/],
] as const;

export type ListedScenario = ScenarioEntry & { readonly id: string };

/** Groups scenarios by subject. */
export function groupScenarios(scenarios: readonly ScenarioEntry[]): ListGroup<ListedScenario>[] {
  const subjectOf = (name: string) => subjects.find(([, pattern]) => pattern.test(name))?.[0];
  return subjects
    .map(([subject]) => ({
      name: subject,
      items: scenarios
        .filter(({ name }) => subjectOf(name) === subject)
        .map((scenario) => ({ id: scenario.name, ...scenario })),
    }))
    .filter(({ items }) => items.length > 0);
}
