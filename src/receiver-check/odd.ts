/** What the service does not send today: a receiver that stands this stands the rest of its life on the internet. */
import type { CheckGroup } from "./check.js";
import { instead, isCrash, isRefusal, isSuccess, pass } from "./judgements.js";

const unknownKind = "a 2xx: an event of a kind that you do not know yet would else be sent five times more";
const badJson = "a 4xx such as 400, and a 2xx to the good delivery after it";
const getRefused = "a 4xx such as 405: deliveries are POST";

export const oddGroup: CheckGroup = {
  name: "odd",
  heading: "What the service does not send",
  checks: [
    {
      id: "odd/unknown-event",
      title: "An event of an unknown kind is taken",
      sends: "payout.reconsidered",
      right: unknownKind,
      send: async (wire, posts) => [
        await wire.post(
          posts.odd(JSON.stringify({ ...posts.payload("payout.paid"), event: "payout.reconsidered" })),
        ),
      ],
      judge(exchanges) {
        if (exchanges.every(isSuccess)) return pass(exchanges);
        const gone = exchanges.some(({ status }) => status === null);
        return instead(gone ? "fail" : "advice", exchanges, unknownKind);
      },
    },
    {
      id: "odd/get",
      title: "A GET is no delivery",
      sends: "GET, no signature",
      right: getRefused,
      send: async (wire) => [await wire.get()],
      judge(exchanges) {
        if (exchanges.some(isCrash)) return instead("fail", exchanges, getRefused);
        return exchanges.some(isSuccess) ? instead("advice", exchanges, getRefused) : pass(exchanges);
      },
    },
    {
      id: "odd/invalid-json",
      title: "A signed body that is no JSON is refused and survived",
      sends: "half a JSON, then payout.paid",
      right: badJson,
      async send(wire, posts) {
        const { body } = posts.of("payout.paid");
        const half = posts.odd(body.slice(0, body.length / 2));
        return [await wire.post(half), await wire.post(posts.of("payout.paid"))];
      },
      judge(exchanges) {
        const [half, whole] = exchanges;
        if (!half || !whole || isCrash(half) || !isSuccess(whole)) return instead("fail", exchanges, badJson);
        // Who keeps the bytes and looks at them later may well answer 202.
        return isRefusal(half) ? pass(exchanges) : instead("advice", exchanges, badJson);
      },
    },
  ],
};
