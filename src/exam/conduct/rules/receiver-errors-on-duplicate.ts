import type { Delivery } from "../../../world/webhooks/delivery.js";
import type { ConductRule } from "../rule.js";

/** Yields the answers to an event in the order of its attempts, with the delivery of each. */
function* answersOf(deliveries: readonly Delivery[]): Generator<{ id: string; status: number; at: string }> {
  for (const { id, attempts, tamper } of deliveries) {
    for (const [index, { status, at }] of attempts.entries())
      if (status !== null && !(tamper && index === 0)) yield { id, status, at };
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export const receiverErrorsOnDuplicate: ConductRule = {
  id: "receiver-errors-on-duplicate",
  title: "A webhook that arrives a second time is refused",
  reason: "Every event may be delivered more than once, and an error makes the service send it again.",
  right: "Recognise an event by its id, answer 2xx to one that you know, and do nothing else.",
  judge({ deliveries }) {
    const byEvent = new Map<string, Delivery[]>();
    for (const delivery of deliveries) {
      const key = `${delivery.event_id} ${delivery.endpoint_id}`;
      byEvent.set(key, [...(byEvent.get(key) ?? []), delivery]);
    }
    return [...byEvent.values()].flatMap((copies) => {
      const answers = [...answersOf(copies)].sort((one, other) => one.at.localeCompare(other.at));
      const accepted = answers.findIndex(({ status }) => isSuccess(status));
      const refused =
        accepted === -1 ? undefined : answers.slice(accepted + 1).find(({ status }) => !isSuccess(status));
      const first = answers[accepted];
      if (!first || !refused) return [];
      const happened = `The receiver answered ${first.status} the first time and ${refused.status} later.`;
      return [{ about: copies[0]?.event ?? "", happened, evidence: [...new Set([first.id, refused.id])] }];
    });
  },
};
