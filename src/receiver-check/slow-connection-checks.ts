/** Slow connections, and how long answers take. */
import { formatDuration } from "../time/time.js";
import type { CheckGroup, ReceiverCheck } from "./check.js";
import { accepted } from "./judgements.js";

export const slowConnectionGroup: CheckGroup = {
  name: "slow",
  heading: "Slow connections",
  checks: [
    {
      id: "slow/sender",
      title: "A body that arrives in pieces is accepted",
      sends: "the body in 5 pieces",
      ...accepted("a 2xx: read the whole body before checking it"),
      send: async (receiver, deliveries) => [await receiver.sendInPieces(deliveries.of("payment.settled"))],
    },
    {
      id: "slow/reader",
      title: "An answer may be read slowly",
      sends: "the answer is read late",
      ...accepted("a 2xx"),
      send: async (receiver, deliveries) => [
        await receiver.sendAndReadLate(deliveries.of("payment.settled")),
      ],
    },
  ],
};

/** Judges the response times of all the other checks; runs last. */
export const responseTimeCheck = (timeout: number): ReceiverCheck => {
  const right = `an answer within ${formatDuration(timeout)}: answer first, and do the work afterwards`;
  return {
    id: "time/answers",
    title: `Every answer comes within ${formatDuration(timeout)}`,
    sends: "all of the above",
    right,
    always: true,
    send: async (receiver, deliveries) =>
      receiver.log.length > 0 ? receiver.log : [await receiver.send(deliveries.of("payout.paid"))],
    judge(exchanges) {
      const late = exchanges.filter(({ timedOut }) => timedOut);
      const [first] = late;
      if (first)
        return {
          verdict: "fail",
          says: `${late.length} of ${exchanges.length} deliveries had no answer in time, ${first.check} first; expected ${right}.`,
        };
      const slowest = exchanges.reduce((one, other) => (other.duration_ms > one.duration_ms ? other : one));
      const says = `The slowest of ${exchanges.length} answers took ${formatDuration(slowest.duration_ms)} (${slowest.check})`;
      return slowest.duration_ms > timeout / 2
        ? { verdict: "advice", says: `${says}, more than half of the time limit; expected ${right}.` }
        : { verdict: "pass", says: `${says}.` };
    },
  };
};
