/** Checks of requests that are not deliveries, and of slow connections. */

import { formatDuration } from "../time/time.js";
import {
  accepted,
  type CheckGroup,
  isAccepted,
  isCrash,
  isRefused,
  pass,
  type ReceiverCheck,
  unexpected,
} from "./check.js";

const unknownKind = "a 2xx, since the service retries a refused event five times";
const invalidJson = "a 4xx such as 400, and a 2xx to the valid delivery after it";
const getRefused = "a 4xx such as 405: deliveries are POST requests";

/** Requests that the service does not send today, but that a robust receiver handles. */
export const unexpectedRequestGroup: CheckGroup = {
  name: "odd",
  heading: "Requests that the service does not send",
  checks: [
    {
      id: "odd/unknown-event",
      title: "An event of an unknown kind is accepted",
      sends: "payout.reconsidered",
      right: unknownKind,
      send: async (receiver, deliveries) => {
        const payload = { ...deliveries.payload("payout.paid"), event: "payout.reconsidered" };
        return [await receiver.send(deliveries.unexpected(JSON.stringify(payload)))];
      },
      judge(exchanges) {
        if (exchanges.every(isAccepted)) return pass(exchanges);
        const gone = exchanges.some(({ status }) => status === null);
        return unexpected(gone ? "fail" : "advice", exchanges, unknownKind);
      },
    },
    {
      id: "odd/get",
      title: "A GET request is refused",
      sends: "GET, no signature",
      right: getRefused,
      send: async (receiver) => [await receiver.get()],
      judge(exchanges) {
        if (exchanges.some(isCrash)) return unexpected("fail", exchanges, getRefused);
        return exchanges.some(isAccepted) ? unexpected("advice", exchanges, getRefused) : pass(exchanges);
      },
    },
    {
      id: "odd/invalid-json",
      title: "A signed body that is not valid JSON is refused without a crash",
      sends: "truncated JSON, then payout.paid",
      right: invalidJson,
      async send(receiver, deliveries) {
        const { body } = deliveries.of("payout.paid");
        const half = deliveries.unexpected(body.slice(0, body.length / 2));
        return [await receiver.send(half), await receiver.send(deliveries.of("payout.paid"))];
      },
      judge(exchanges) {
        const [half, whole] = exchanges;
        if (!half || !whole || isCrash(half) || !isAccepted(whole))
          return unexpected("fail", exchanges, invalidJson);
        // A receiver that stores the bytes and parses them later may answer 202.
        return isRefused(half) ? pass(exchanges) : unexpected("advice", exchanges, invalidJson);
      },
    },
  ],
};

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
      const slowest = exchanges.reduce((found, exchange) =>
        exchange.duration_ms > found.duration_ms ? exchange : found,
      );
      const says = `The slowest of ${exchanges.length} answers took ${formatDuration(slowest.duration_ms)} (${slowest.check})`;
      return slowest.duration_ms > timeout / 2
        ? { verdict: "advice", says: `${says}, more than half of the time limit; expected ${right}.` }
        : { verdict: "pass", says: `${says}.` };
    },
  };
};
