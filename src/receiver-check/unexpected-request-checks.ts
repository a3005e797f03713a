/** Requests that the service does not send today, but that a robust receiver handles. */
import type { CheckGroup } from "./check.js";
import { isAccepted, isCrash, isRefused, pass, unexpected } from "./judgements.js";

const unknownKind = "a 2xx, since an unknown event that is refused would be retried five times";
const invalidJson = "a 4xx such as 400, and a 2xx to the valid delivery after it";
const getRefused = "a 4xx such as 405: deliveries are POST requests";

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
