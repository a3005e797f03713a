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
      const slow = attempts.find(({ duration_ms }) => duration_ms > maxAnswerMs);
      if (!slow) return [];
      const seconds = Math.round(slow.duration_ms / 100) / 10;
      const happened =
        slow.status === null
          ? `The receiver had not answered after ${seconds} s.`
          : `The receiver answered after ${seconds} s.`;
      return [{ about: event, happened, evidence: [id] }];
    }),
};
