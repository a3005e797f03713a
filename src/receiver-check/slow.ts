/** Slow lines, and how long answers take. */
import type { Check, CheckGroup } from "./check.js";
import { formatDuration } from "./duration.js";
import { accepted } from "./judgements.js";

export const slowGroup: CheckGroup = {
  name: "slow",
  heading: "Slow lines",
  checks: [
    {
      id: "slow/sender",
      title: "A body that arrives in pieces is taken",
      sends: "the body in 5 pieces",
      ...accepted("a 2xx: read the body to its end before checking it"),
      send: async (wire, posts) => [await wire.postInPieces(posts.of("payment.settled"))],
    },
    {
      id: "slow/reader",
      title: "An answer that is read slowly is no trouble",
      sends: "the answer is read late",
      ...accepted("a 2xx"),
      send: async (wire, posts) => [await wire.readLate(posts.of("payment.settled"))],
    },
  ],
};

/** Of all answers; judged when everything else is over. */
export const timeCheck = (timeout: number): Check => {
  const right = `an answer within ${formatDuration(timeout)}: answer first, and do the work afterwards`;
  return {
    id: "time/answers",
    title: `Every answer comes within ${formatDuration(timeout)}`,
    sends: "all of the above",
    right,
    always: true,
    send: async (wire, posts) =>
      wire.log.length > 0 ? wire.log : [await wire.post(posts.of("payout.paid"))],
    judge(exchanges) {
      const late = exchanges.filter(({ timedOut }) => timedOut);
      const [first] = late;
      if (first)
        return {
          verdict: "fail",
          says: `${late.length} of ${exchanges.length} deliveries had no answer in time, ${first.check} first; right is ${right}.`,
        };
      const slowest = exchanges.reduce((one, other) => (other.duration_ms > one.duration_ms ? other : one));
      const says = `The slowest of ${exchanges.length} answers took ${formatDuration(slowest.duration_ms)} (${slowest.check})`;
      return slowest.duration_ms > timeout / 2
        ? { verdict: "advice", says: `${says}, more than half of the time that there is; right is ${right}.` }
        : { verdict: "pass", says: `${says}.` };
    },
  };
};
