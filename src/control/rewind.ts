/** Takes the account back to an earlier moment (design: "From what happened to a test"). */

import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { formatNumber } from "../contract/format-number.js";
import { Timestamp } from "../contract/schemas.js";
import { toIso } from "../time/time.js";
import { contextOf, rewind, type SentDelivery } from "../world/account/rewind.js";
import { historyLimit } from "../world/records/history.js";
import { operation } from "./operation.js";
import { activityIdDescription } from "./schemas.js";

const SentDeliveryView = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event: Type.String(),
  url: Type.String(),
  attempts: Type.Integer({ description: "Number of attempts that the receiver got since then" }),
  in_flight: Type.Boolean({ description: "Whether an attempt is on the wire" }),
});

const view = ({ record, attempts, inFlight }: SentDelivery): Type.Static<typeof SentDeliveryView> => ({
  id: record.id,
  event_id: record.event_id,
  event: record.event,
  url: record.url,
  attempts: attempts.length,
  in_flight: inFlight,
});

export const rewindAccount = operation({
  id: "rewindAccount",
  route: controlRoutes.rewindAccount,
  summary:
    "Take the account back to the moment before an activity, so that the same requests get the same replies",
  description: [
    `Brings back records, ledger, jobs, clock, rules and the sequences of ids, and removes the activities since then. Reaches back ${formatNumber(historyLimit)} commits, within this run of the sandbox. Coverage is kept.`,
    "A move, message or event is rewound together with the call or job that it belongs to. On a running clock, jobs that are due run again at once: freeze the clock first, or rewind further.",
    "Webhooks cannot be called back: the reply lists those that receivers have got.",
  ].join("\n\n"),
  auth: "control",
  rewindsIds: true,
  body: Type.Object(
    {
      to: Type.String({
        description: activityIdDescription,
      }),
    },
    { additionalProperties: false },
  ),
  reply: {
    200: Type.Object({
      rewound_to: Type.String({ description: "Id of the first activity that was undone" }),
      at: Timestamp,
      commits: Type.Integer({ description: "Number of commits that were undone" }),
      now: Timestamp,
      sent: Type.Array(SentDeliveryView, {
        description: "Webhooks that were sent since then or are on the wire, and cannot be called back",
      }),
    }),
  },
  refuses: ["validation_error", "resource_not_found", "clock_busy"],

  handle({ account, body: { to }, refuse }) {
    if (account.advancing) refuse("clock_busy");
    const named = account.activities.log.find(to);
    if (!named) {
      const message = `There is no activity about ${JSON.stringify(to.slice(0, 100))} on this account; ${controlRoutes.listActivity} lists those that are kept.`;
      return refuse("resource_not_found", { param: "to", message });
    }
    const target = contextOf(account, named);
    if (!account.history.reaches(target.number)) {
      const message = `${target.id} is too far back: the account can be rewound by ${formatNumber(historyLimit)} commits, and not to a moment before it was read from the disk. Choose a later activity, or take a snapshot in time: ${controlRoutes.getSnapshot}.`;
      return refuse("validation_error", { param: "to", message });
    }
    const { commits, sent } = rewind(account, target);
    return {
      rewound_to: target.id,
      at: toIso(target.at),
      commits,
      now: account.clock.iso(),
      sent: sent.map(view),
    };
  },
});
