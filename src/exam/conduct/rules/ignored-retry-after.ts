import { second } from "../../../time/time.js";
import type { ConductRule } from "../rule.js";

/** Tolerance in ms: `Retry-After` has whole seconds, and clocks differ a little. */
const toleranceMs = 1 * second;

export const ignoredRetryAfter: ConductRule = {
  id: "ignored-retry-after",
  title: "A request is repeated before Retry-After has passed",
  reason: "The service refuses every request until then, and may lengthen the limit.",
  right: "Wait for as many seconds as the header Retry-After says before the same request is sent again.",
  needsTime: true,
  judge: ({ calls }) =>
    calls.flatMap((call, index) => {
      const { retry_after: seconds } = call.entry;
      if (seconds === null || seconds === undefined || !call.isTimed) return [];
      const next = calls.slice(index + 1).find((later) => later.repeats(call));
      const waited = next ? next.arrivedAt - call.answeredAt : Number.POSITIVE_INFINITY;
      if (!next || waited >= seconds * second - toleranceMs) return [];
      const happened = `It was sent again after ${Math.max(Math.round(waited / 100) / 10, 0)} s; Retry-After was ${seconds} s.`;
      return [{ about: call.operation, happened, evidence: [call.id, next.id] }];
    }),
};
