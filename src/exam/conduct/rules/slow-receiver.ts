import { second } from "../../../time/time.js";
import type { ConductRule } from "../rule.js";

const maxAnswerMs = 5 * second;

export const slowReceiver: ConductRule = {
  id: "slow-receiver",
  title: "A webhook is answered late",
  reason: "The service gives up after 10 s and sends the event again, so that slow work is done twice.",
  right: "Store the event, answer 2xx at once, and do the work afterwards.",
  judge: ({ deliveries }) =>
    deliveries.flatMap(({ id, event, attempts }) => {
      const slow = attempts.find(({ status, duration_ms }) => status !== null && duration_ms > maxAnswerMs);
      if (!slow) return [];
      const happened = `The receiver answered after ${Math.round(slow.duration_ms / 100) / 10} s.`;
      return [{ about: event, happened, evidence: [id] }];
    }),
};
